import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** The total to which a budget is raised. */
export class RaiseBudgetDto {
  @ApiProperty({
    description:
      'A decimal in units of the reward, at least the present total, with at most 18 digits before and 9 after the point',
  })
  @IsString()
  @MaxLength(64)
  total: string;
}

/** A budget of a task, and what was spent of it: by awards that are issued and neither rejected nor taken back for good. */
export class SpentBudgetReply {
  @ApiProperty({ description: 'Decimal, in units of the reward' })
  limit: string;

  @ApiProperty()
  spent: string;

  @ApiProperty({ description: 'Below 0 after a version has lowered it' })
  left: string;
}

/** The total budget of a task as its versions state it, and as it counts. */
export class SpentTotalReply extends SpentBudgetReply {
  @ApiProperty({
    description: 'What the newest published version states; an approver may have raised `limit` above it',
  })
  stated: string;
}

/** The budget of a task on the present UTC day. */
export class SpentDayReply extends SpentBudgetReply {
  @ApiProperty({ format: 'date', description: 'UTC day of issue' })
  day: string;
}

/** The budgets of a task now. */
export class TaskBudgetStateReply {
  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({ type: 'integer', description: 'The newest published version, whose budget counts' })
  version: number;

  @ApiProperty({ description: 'What is counted, for example `currency EUR`' })
  unit: string;

  @ApiProperty({ type: SpentTotalReply, nullable: true, description: 'Null where the version states none' })
  total: SpentTotalReply | null;

  @ApiProperty({ type: SpentDayReply, nullable: true, description: 'Null where the version states none' })
  per_day: SpentDayReply | null;
}

/** The total budget of a task. */
export class TaskBudgetReply {
  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({ description: 'It counts until a version states another total than before' })
  total: string;

  @ApiProperty({ description: 'What is not spent of it; below 0 after a version has lowered it' })
  left: string;
}
