import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText } from '@podium/runtime/http';
import { IsIn, IsInt, IsObject, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { defaultMaxPerEvent } from './canonical-body';
import { clawBacks, maxAwardsPerDay } from './check-task';
import { VersionReply } from './definition.dto';
import { reference, referenceOrStored, zoneApi } from './definition-schemas';
import { occurrenceLimit } from './occurrence-limit';

const budgetApi = reference('Budget');

const maxPerEventApi = {
  type: 'integer',
  minimum: 1,
  maximum: occurrenceLimit,
  default: defaultMaxPerEvent,
  description: 'Most occurrences that one event brings at once; the others are held',
} as const;

const clawBackApi = {
  enum: [...clawBacks],
  default: 'none',
  description: 'Whether an award is taken back when its goal is undone: never, until it is confirmed, or always',
};

/** A further version of a task. */
export class TaskVersionDto {
  @ApiProperty({ maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty(reference('Goal'))
  @IsObject()
  goal: object;

  @ApiProperty(reference('Repeat'))
  @IsObject()
  repeat: object;

  @ApiPropertyOptional(zoneApi)
  @IfGiven()
  @IsString()
  @MaxLength(64)
  zone?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: occurrenceLimit,
    description: 'Most awards of one user; required with {"every":…}, and 1 with {"once":true}',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(occurrenceLimit)
  max_per_user?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'Id of a segment: only its members are paid' })
  @IfGiven()
  @IsUUID()
  eligible?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'First instant, in event time: at least 10 minutes ahead, or the start of a day of at most 35 days ago. ' +
      'When left out, `in_force_from` of the first version',
  })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  starts_at?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'First instant that no longer belongs to the task, in event time: at least 10 minutes ahead, or the start of a day. ' +
      'The task closes 35 days later; until then it can be moved',
  })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  ends_at?: string;

  @ApiProperty(reference('TaskReward'))
  @IsObject()
  reward: object;

  @ApiPropertyOptional(budgetApi)
  @IfGiven()
  @IsObject()
  budget?: object;

  @ApiPropertyOptional(clawBackApi)
  @IfGiven()
  @IsIn(clawBacks)
  claw_back?: string;

  @ApiPropertyOptional(maxPerEventApi)
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(occurrenceLimit)
  max_per_event?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: maxAwardsPerDay,
    description:
      'Awards of one UTC day of `reached_at` above which the engine pauses the task. When left out, a multiple of the forecast of ' +
      'the dry run of the version, if there is one (`forecast_multiple` of the publication)',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(maxAwardsPerDay)
  max_per_day?: number;
}

/** A new task. */
export class CreateTaskDto extends TaskVersionDto {
  @ApiProperty({ description: 'The integration to which the task belongs; its organizer pays' })
  @IsPlainText(255)
  platform: string;
}

/** A UTC day on which a task has awarded more than it may. */
export class PausedByEngineReply {
  @ApiProperty({ format: 'date', description: 'UTC day of `reached_at`' })
  day: string;

  @ApiProperty({ type: 'integer', description: 'Awards of that day when it was paused' })
  awards: number;

  @ApiProperty({ type: 'integer', description: 'How many it may have' })
  max_per_day: number;
}

/** One version of a task. */
export class TaskVersionReply extends VersionReply {
  @ApiProperty(referenceOrStored('Goal'))
  goal: object;

  @ApiProperty(referenceOrStored('Repeat'))
  repeat: object;

  @ApiProperty(zoneApi)
  zone: string;

  @ApiProperty({ type: 'integer', nullable: true })
  max_per_user: number | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  eligible: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  starts_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ends_at: string | null;

  @ApiProperty(referenceOrStored('TaskReward'))
  reward: object;

  @ApiProperty({ ...budgetApi, nullable: true })
  budget: object | null;

  @ApiProperty({ enum: [...clawBacks] })
  claw_back: string;

  @ApiProperty({ type: 'integer' })
  max_per_event: number;

  @ApiProperty({ type: 'integer', nullable: true })
  max_per_day: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Awards of one UTC day of `reached_at` above which the engine pauses the task: as stated, or by its forecast; null in drafts ' +
      'and where it has neither',
  })
  pauses_above: number | null;

  @ApiProperty({
    type: PausedByEngineReply,
    nullable: true,
    description:
      'Why the engine has paused it; null where it has not, and once an operator has resumed, ended, or, after its end, paused it',
  })
  paused_by_engine: PausedByEngineReply | null;

  @ApiProperty({
    description:
      'Whether it ended while it was paused, or was paused after its end: what it reaches is held and never paid',
  })
  ended_while_paused: boolean;
}

/** A task with its published version, otherwise its newest version. */
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
