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

/** The total budget of a task. */
export class TaskBudgetReply {
  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({ description: 'It counts until a version states another total than before' })
  total: string;

  @ApiProperty({ description: 'What is not spent of it; below 0 after a version has lowered it' })
  left: string;
}
