import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { maxCursorLength } from '@podium/runtime/http';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { AwardReply } from '../awards/award.dto';

/** Where an export begins. */
export class ExportQuery {
  @ApiPropertyOptional({ description: '`cursor` of the last complete line; leave it out to begin at the first item' })
  @IsOptional()
  @IsString()
  @MaxLength(maxCursorLength)
  cursor?: string;
}

/** A member of a segment. */
export class MemberReply {
  @ApiProperty()
  user_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The account of the newest link' })
  platform_user_id: string | null;

  @ApiProperty({ format: 'date-time', description: 'In event time' })
  since: string;

  @ApiProperty({ enum: ['event', 'time', 'link', 'definition'], description: 'What made the user a member' })
  reason: string;

  @ApiProperty({ type: 'integer', description: 'The version that was in force then' })
  version: number;
}

/** A page of members, by user. */
export class MemberPageReply {
  @ApiProperty({ type: [MemberReply] })
  items: MemberReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** An event that was counted when an award was issued. */
export class EvidenceEventReply {
  @ApiProperty()
  id: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty()
  platform_user_id: string;
}

/** Why an award was issued. */
export class EvidenceReply {
  @ApiProperty({ type: 'integer', description: 'The version of the task' })
  version: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of the comparisons of the goal, by their path',
  })
  values: Readonly<Record<string, string>>;

  @ApiProperty({ type: [EvidenceEventReply], description: 'Up to 5, the deciding one first' })
  events: EvidenceEventReply[];

  @ApiProperty({ description: 'Some values or events were left out, because they were too long' })
  cut: boolean;
}

/** An award with its ledger and evidence. */
export class TaskAwardReply extends AwardReply {
  @ApiProperty({ type: EvidenceReply, nullable: true, description: 'Null once it is erased, or for older awards' })
  evidence: EvidenceReply | null;
}

/** A page of the awards of a task, by user and occurrence. */
export class TaskAwardPageReply {
  @ApiProperty({ type: [TaskAwardReply] })
  items: TaskAwardReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** How far a user is with a task. */
export class ProgressReply {
  @ApiProperty()
  user_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The account of the newest link' })
  platform_user_id: string | null;

  @ApiProperty({
    description:
      'What the progress leads to: an occurrence (g1:once, 2026-11), or of {"every":…} what precedes the number (g1:every)',
  })
  series: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Of a task that repeats per period: from then on another series counts, from zero',
  })
  period_ends_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A decimal; null unless the goal is one comparison of count, sum, distinct or streak',
  })
  value: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the value is compared with; of {"every":…} that of the next occurrence',
  })
  target: string | null;

  @ApiProperty({ description: 'Whether the series is reached; of {"every":…} at least one' })
  reached: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Occurrences that are issued and not reversed, or that the bonus engine has refused to take back',
  })
  issued: number;

  @ApiProperty({ type: 'integer', description: 'Occurrences that a pause or max_per_event holds' })
  held: number;

  @ApiProperty({ type: 'integer', description: 'Occurrences that wait because of budget or reward' })
  withheld: number;
}

/** A page of progress, by user. */
export class ProgressPageReply {
  @ApiProperty({ type: [ProgressReply], description: 'May be shorter than the limit although more follow' })
  items: ProgressReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
