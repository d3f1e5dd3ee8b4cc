import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsOpaqueId } from '@podium/runtime/http';
import { IsString, MaxLength } from 'class-validator';
import { TaskAwardReply } from '../reports/report.dto';
import { ComparisonReply } from './comparison.dto';

const time = { type: String, format: 'date-time', nullable: true } as const;
const text = { type: String, nullable: true } as const;

/** Which user to explain, and when. */
export class ExplainQuery {
  @ApiProperty({ description: 'A user of the service' })
  @IsOpaqueId(255)
  user_id: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'An instant of event time that is not ahead; now when left out',
  })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  at?: string;
}

/** The link of an instant. */
export class ExplainedLinkReply {
  @ApiProperty()
  platform_user_id: string;

  @ApiProperty({ format: 'date-time' })
  linked_at: string;

  @ApiProperty(time)
  unlinked_at: string | null;
}

/** What segments and tasks have in common. */
export class ExplanationReply {
  @ApiProperty()
  platform: string;

  @ApiProperty()
  user_id: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ description: 'False: events of that time are merged or gone, and only what is recorded is shown' })
  exact: boolean;

  @ApiProperty({
    enum: ['condensed', 'not_live', 'rebuilding'],
    nullable: true,
    description:
      'Why it is not exact: the instant lies before the events that are kept singly, the definition is a draft or ended long ago, or the state of users is being rebuilt',
  })
  not_exact_because: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version in force; null without a published one' })
  version: number | null;

  @ApiProperty()
  linked: boolean;

  @ApiProperty({ type: ExplainedLinkReply, nullable: true, description: 'The link begun last, ended or not' })
  link: ExplainedLinkReply | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether the condition or goal holds; null when not exact',
  })
  holds: boolean | null;

  @ApiProperty({ type: [ComparisonReply] })
  comparisons: ComparisonReply[];

  @ApiProperty({ ...time, description: 'When it changes next without a further event; null for instants of the past' })
  due_at: string | null;
}

/** Why a user is in a segment or not. */
export class SegmentExplanationReply extends ExplanationReply {
  @ApiProperty({ format: 'uuid' })
  segment_id: string;

  @ApiProperty({ type: Boolean, nullable: true, description: 'Linked, not ended, and the condition holds' })
  member: boolean | null;

  @ApiProperty()
  ended: boolean;

  @ApiProperty({ type: Boolean, nullable: true, description: 'As published now; null while nothing was' })
  published_member: boolean | null;

  @ApiProperty({ ...time, description: 'Since when it is published so, in event time' })
  published_since: string | null;
}

/** Occurrences of a task. */
export class OccurrencesReply {
  @ApiProperty({ description: 'The first one, for example g1:every:3' })
  first: string;

  @ApiProperty({ description: 'The last one, the same when it is one' })
  last: string;

  @ApiProperty({ format: 'date-time' })
  reached_at: string;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({
    enum: [
      ...[
        'issued',
        'confirmed',
        'rejected',
        'reversed',
        'kept',
        'held_by_pause',
        'held_by_limit',
        'withheld',
        'unlinked',
      ],
      ...['blocked', 'refused', 'beyond_max_per_user', 'not_issued'],
    ],
    description: 'As of now; `kept`: the bonus engine refused the reversal',
  })
  state: string;

  @ApiProperty({ ...text, description: 'Of withheld ones' })
  reason: string | null;

  @ApiProperty(text)
  platform_user_id: string | null;

  @ApiProperty({
    ...text,
    description: 'The event that decided; null when time did, or when it is not evaluated any more',
  })
  decided_by: string | null;

  @ApiProperty({
    ...text,
    description:
      'Of blocked ones: the user to whom the account was paid for the first of them; a pseudonym once that user is erased',
  })
  blocked_by: string | null;

  @ApiProperty({ description: 'False: undone since, or not evaluated any more' })
  owed: boolean;
}

/** The values of {"every":…}. */
export class StepsReply {
  @ApiProperty({ description: 'Of events before dates and generation, which pass nothing' })
  base: string;

  @ApiProperty({ description: 'Of the events since' })
  inside: string;

  @ApiProperty({ type: 'integer', description: 'Occurrences that both have passed together' })
  passed: number;
}

/** The dates of a task. */
export class TaskDatesReply {
  @ApiProperty({ format: 'date-time' })
  starts_at: string;

  @ApiProperty({ ...time, description: 'The date, or the time at which it was ended by hand if that is earlier' })
  ends_at: string | null;

  @ApiProperty({ ...time, description: 'Events received from then on do not count' })
  closes_at: string | null;

  @ApiProperty({ description: 'Whether the instant lies in them, and the version is in force' })
  within: boolean;
}

/** Why a user has reached a task or not. */
export class TaskExplanationReply extends ExplanationReply {
  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({
    ...time,
    description: 'The instant of `holds`, `comparisons` and `eligible`: after the dates of the task their last second',
  })
  explained_at: string | null;

  @ApiProperty({
    description: 'Now; also of a task that ended while it was paused, so that what the pause held is never paid',
  })
  paused: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Of the newest version, for all instants; null without a maximum, and where the engine does not know the task',
  })
  max_per_user: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Occurrences that fill `max_per_user` now: issued, held, withheld and refused ones',
  })
  max_per_user_filled: number;

  @ApiProperty({ type: TaskDatesReply, nullable: true })
  dates: TaskDatesReply | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The segment whose members alone are paid',
  })
  eligible_segment: string | null;

  @ApiProperty({ type: Boolean, nullable: true, description: 'Null without such a segment' })
  eligible: boolean | null;

  @ApiProperty({ type: StepsReply, nullable: true })
  steps: StepsReply | null;

  @ApiProperty({ type: [OccurrencesReply], description: 'Reached by the instant, oldest first; the newest 200' })
  occurrences: OccurrencesReply[];

  @ApiProperty({ type: 'integer', description: 'Older entries that `occurrences` leaves out' })
  occurrences_left_out: number;

  @ApiProperty({ type: [TaskAwardReply], description: 'Reached by the instant, newest first, at most 20' })
  awards: TaskAwardReply[];
}
