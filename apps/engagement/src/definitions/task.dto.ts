import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsNested, IsPlainText } from '@podium/runtime/http';
import { Type } from 'class-transformer';
import { Allow, IsInt, IsObject, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { occurrenceLimit } from '../evaluation/compiled-definition';
import type { Condition, Repeat } from '../evaluation/condition';
import { VersionReply } from './definition.dto';

const goalApi = {
  type: 'object',
  additionalProperties: true,
  description:
    'A condition as in segments. The goal is reached if the condition holds at some instant within the dates, on the events up to that instant, in any order of arrival. `since: link` counts from the link of each event',
} as const;
const repeatApi = {
  type: 'object',
  additionalProperties: true,
  description:
    '{"once":true}, or {"every":"N"} for a goal that is one count or sum with gte, lifetime or since link: the n-th occurrence is reached at value + (n-1)·N',
} as const;

/** What a task pays. */
export class RewardDto {
  @ApiProperty({ maxLength: 64, description: 'For example bonus_money, points, item' })
  @IsPlainText(64)
  type: string;

  @ApiProperty({ pattern: '^[0-9]{1,18}(\\.[0-9]{1,9})?$', description: 'Exact decimal above 0' })
  @IsString()
  @Matches(/^(?=.*[1-9])[0-9]{1,18}(\.[0-9]{1,9})?$/, {
    message: 'must be a decimal above 0 with at most 18 digits before and 9 after the point',
  })
  amount: string;

  @ApiPropertyOptional({ maxLength: 64 })
  @IfGiven()
  @IsPlainText(64)
  currency?: string;

  @ApiPropertyOptional({ maxLength: 255 })
  @IfGiven()
  @IsPlainText(255)
  item?: string;
}

/** A further version of a task. */
export class TaskVersionDto {
  @ApiProperty({ maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty(goalApi)
  @IsObject()
  goal: object;

  @ApiProperty(repeatApi)
  @IsObject()
  repeat: object;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: occurrenceLimit,
    description: `Most awards of one user; ${occurrenceLimit} when left out`,
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(occurrenceLimit)
  max_per_user?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'First instant, in event time' })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  starts_at?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'First instant that no longer belongs to the task, in event time',
  })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  ends_at?: string;

  @ApiProperty({ type: RewardDto })
  @IsNested()
  @Type(() => RewardDto)
  reward: RewardDto;

  /** Accepted by name only, so that the error can say that it is not supported. */
  @ApiHideProperty()
  @Allow()
  eligible?: unknown;

  /** As `eligible`. */
  @ApiHideProperty()
  @Allow()
  budget?: unknown;

  @ApiPropertyOptional({ enum: ['none'], description: 'Awards are not taken back' })
  @Allow()
  claw_back?: unknown;
}

/** A new task. */
export class CreateTaskDto extends TaskVersionDto {
  @ApiProperty({ description: 'The integration to which the task belongs; its organizer pays' })
  @IsPlainText(255)
  platform: string;
}

/** One version of a task. */
export class TaskVersionReply extends VersionReply {
  @ApiProperty(goalApi)
  goal: Condition;

  @ApiProperty(repeatApi)
  repeat: Repeat;

  @ApiProperty({ type: 'integer', nullable: true })
  max_per_user: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  starts_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ends_at: string | null;

  @ApiProperty({ type: RewardDto })
  reward: RewardDto;
}

/** A task with its version in force, otherwise its newest version. */
export class TaskReply extends TaskVersionReply {
  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  organizer_id: string;
}

/** A task with all its versions, oldest first. */
export class TaskWithVersionsReply extends TaskReply {
  @ApiProperty({ type: [TaskVersionReply] })
  versions: TaskVersionReply[];
}

/** A page of tasks, newest first. */
export class TaskPageReply {
  @ApiProperty({ type: [TaskReply] })
  items: TaskReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
