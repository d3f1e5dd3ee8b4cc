import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, PageQuery } from '@podium/runtime/http';
import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { reference } from '../definitions/definition-schemas';
import { ComparisonReply } from '../explain/comparison.dto';
import { ExportQuery } from '../reports/report.dto';
import type { TrialSide, TrialState } from './trial';

const time = { type: String, format: 'date-time', nullable: true } as const;
const whole = { type: 'integer' } as const;
const states = ['waiting', 'running', 'pricing', 'finished', 'cancelled', 'failed'];
const sides = ['draft', 'published'] as const satisfies readonly TrialSide[];
const sideApi = { enum: [...sides], default: 'draft', description: 'The tried version, or the published one' };

/** Which version to preview. */
export class PreviewDto {
  @ApiPropertyOptional({ ...whole, minimum: 1, description: 'The newest one when left out; drafts too' })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  version?: number;
}

/** Which version to try, and over which dates. */
export class DryRunDto extends PreviewDto {
  @ApiProperty({
    format: 'date-time',
    description: 'First instant, as if it were `starts_at`; not before the events that are stored (6 months)',
  })
  @IsString()
  @MaxLength(64)
  from: string;

  @ApiProperty({ format: 'date-time', description: 'First instant outside, as if it were `ends_at`; not ahead' })
  @IsString()
  @MaxLength(64)
  to: string;
}

/** What previews and dry runs have in common. */
export class TrialReply {
  @ApiProperty({ ...whole, description: 'The version that is evaluated' })
  version: number;

  @ApiProperty({
    enum: states,
    description:
      '`pricing`: all users are evaluated, and costs are added up; `failed`: it was given up, because events of its first days have expired, or see the log',
  })
  state: TrialState;

  @ApiProperty({ description: 'Operator' })
  ordered_by: string;

  @ApiProperty({ format: 'date-time' })
  ordered_at: string;

  @ApiProperty({ format: 'date-time', description: 'The instant that is now, for all users alike' })
  as_of: string;

  @ApiProperty(time)
  finished_at: string | null;

  @ApiProperty({ ...time, description: 'When the result is deleted; null before it has finished' })
  expires_at: string | null;

  @ApiProperty({ ...whole, description: 'Users that are evaluated' })
  users_done: number;

  @ApiProperty({ ...whole, nullable: true, description: 'All users of the platform; null before it begins' })
  users_total: number | null;

  @ApiProperty({
    ...whole,
    description:
      'Users who are not evaluated, because more of their events than the 500 of a month and name may count: they are listed, never estimated',
  })
  capped_users: number;
}

/** A member of a sample with the reasons. */
export class SampleMemberReply {
  @ApiProperty()
  user_id: string;

  @ApiProperty({
    type: [ComparisonReply],
    description: 'As of an explanation, with at most 5 events of each kind; empty until it has finished',
  })
  comparisons: readonly ComparisonReply[];
}

/** The size of a segment before it is published. */
export class PreviewReply extends TrialReply {
  @ApiProperty({ format: 'uuid' })
  preview_id: string;

  @ApiProperty({ format: 'uuid' })
  segment_id: string;

  @ApiProperty({ ...whole, description: 'Members among the users that are evaluated; exact once it has finished' })
  members: number;

  @ApiProperty({ type: [SampleMemberReply], description: 'At most 20 members, chosen at random' })
  sample: SampleMemberReply[];
}

/** The costs of a UTC day. */
export class DryRunDayReply {
  @ApiProperty({ format: 'date', description: 'UTC day of `reached_at`' })
  day: string;

  @ApiProperty(whole)
  awards: number;

  @ApiProperty({ description: 'Decimal, in units of the reward' })
  cost: string;

  @ApiProperty({ ...whole, description: 'Awards that the budget would not have covered' })
  withheld: number;

  @ApiProperty({ description: 'Cost within the budget' })
  paid: string;
}

/** What one version would have awarded. */
export class DryRunTaskReply {
  @ApiProperty(whole)
  version: number;

  @ApiProperty({ ...whole, description: 'Users with an award' })
  users: number;

  @ApiProperty({ ...whole, description: 'With those that the budget would not have covered' })
  awards: number;

  @ApiProperty({ description: 'Mean of awards per day of the dates, rounded up to hundredths' })
  awards_per_day: string;

  @ApiProperty({ ...whole, description: 'Occurrences beyond `max_per_event`, for an approver' })
  held: number;

  @ApiProperty({ ...whole, description: 'Occurrences of users who were not linked' })
  unlinked: number;

  @ApiProperty({ ...whole, description: 'Occurrences whose formula gives no amount that can be paid' })
  unpayable: number;

  @ApiProperty({ ...whole, description: 'Occurrences whose account is paid under another user' })
  blocked: number;

  @ApiProperty({ description: 'What the cost is counted in: a currency, an item, or a type of reward' })
  unit: string;

  @ApiProperty({ description: 'Of all awards; decimal, in units of the reward' })
  cost: string;

  @ApiProperty({
    ...reference('Budget'),
    nullable: true,
    description: 'As the version states it, with a total that was raised',
  })
  budget: object | null;

  @ApiProperty({ description: 'Cost within the budget' })
  paid: string;

  @ApiProperty({ ...whole, description: 'Awards that the budget would not have covered' })
  withheld: number;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'UTC day on which the first award would not have fitted into the total budget; null: on none',
  })
  budget_ended_on: string | null;

  @ApiProperty({ description: 'The goal can hold without any event in its windows, so that it pays everybody' })
  rewards_without_events: boolean;

  @ApiProperty({ type: [DryRunDayReply], description: 'Oldest first; days without awards are left out' })
  days: DryRunDayReply[];
}

/** What a version of a task would have awarded over dates of the past. */
export class DryRunReply extends TrialReply {
  @ApiProperty({ format: 'uuid' })
  dry_run_id: string;

  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({ format: 'date-time' })
  from: string;

  @ApiProperty({ format: 'date-time' })
  to: string;

  @ApiProperty({ type: DryRunTaskReply })
  draft: DryRunTaskReply;

  @ApiProperty({
    type: DryRunTaskReply,
    nullable: true,
    description: 'The same for the published version; null without one, or when it is the one that is tried',
  })
  published: DryRunTaskReply | null;
}

/** The newest previews of a segment. */
export class PreviewListReply {
  @ApiProperty({ type: [PreviewReply] })
  items: PreviewReply[];
}

/** The newest dry runs of a task. */
export class DryRunListReply {
  @ApiProperty({ type: [DryRunReply] })
  items: DryRunReply[];
}

/** Which awards of a dry run to list. */
export class DryRunAwardsQuery extends PageQuery {
  @ApiPropertyOptional(sideApi)
  @IfGiven()
  @IsIn(sides)
  side?: TrialSide;
}

/** Which awards of a dry run to export, and where to begin. */
export class DryRunAwardsExportQuery extends ExportQuery {
  @ApiPropertyOptional(sideApi)
  @IfGiven()
  @IsIn(sides)
  side?: TrialSide;
}

/** An award that a dry run would issue. */
export class DryRunAwardReply {
  @ApiProperty()
  user_id: string;

  @ApiProperty()
  platform_user_id: string;

  @ApiProperty()
  occurrence: string;

  @ApiProperty({ format: 'date-time' })
  reached_at: string;

  @ApiProperty(reference('FixedReward'))
  reward: object;

  @ApiProperty({
    enum: ['budget_total', 'budget_day'],
    nullable: true,
    description: 'The budget that would not have covered it; null where it would, and while costs are added up',
  })
  withheld: string | null;
}

/** A page of awards, by (`reached_at`, user). */
export class DryRunAwardPageReply {
  @ApiProperty({ type: [DryRunAwardReply] })
  items: DryRunAwardReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** A user who is not evaluated. */
export class CappedUserReply {
  @ApiProperty()
  user_id: string;

  @ApiProperty({ description: 'Of the events' })
  name: string;

  @ApiProperty({ description: 'UTC month of which 500 events are stored', example: '2026-11' })
  month: string;
}

/** A page of users who are not evaluated. */
export class CappedUserPageReply {
  @ApiProperty({ type: [CappedUserReply] })
  items: CappedUserReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
