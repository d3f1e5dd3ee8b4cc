import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Reward } from '@podium/messages';
import { IfGiven, IsOpaqueId, IsPlainText, PageQuery } from '@podium/runtime/http';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import type { UnissuedStatus } from '../awards/known-award';
import { reference } from '../definitions/definition-schemas';
import { unpayableReasons } from '../evaluation/owed';

const statuses: readonly UnissuedStatus[] = [
  'held_by_pause',
  'held_by_limit',
  'withheld',
  'unlinked',
  'blocked',
  'refused',
];

/** Ids of rows outgrow 32 bits. */
const rowId = { type: 'integer', format: 'int64' } as const;

/** Which occurrences to list. */
export class UnissuedQuery extends PageQuery {
  @ApiPropertyOptional({ enum: statuses, description: 'Only this status' })
  @IfGiven()
  @IsIn(statuses)
  status?: UnissuedStatus;

  @ApiPropertyOptional({ description: 'Only this user of the service' })
  @IfGiven()
  @IsOpaqueId(255)
  user_id?: string;
}

/** Which rows to pay or refuse. */
export class ApprovalDto {
  @ApiProperty({
    type: 'array',
    items: { ...rowId, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Ids of the list',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  ids: number[];

  @ApiPropertyOptional({ description: 'For the audit trail; without names of users' })
  @IfGiven()
  @IsPlainText(1000)
  reason?: string;
}

/** Occurrences of a user that were reached and are not issued. */
export class UnissuedReply {
  @ApiProperty({ ...rowId, description: 'Another one whenever the occurrences change, or what they pay' })
  id: number;

  @ApiProperty()
  user_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The account that would be paid' })
  platform_user_id: string | null;

  @ApiProperty({ description: 'Such as 2026-11 or g1:every:3' })
  first_occurrence: string;

  @ApiProperty()
  last_occurrence: string;

  @ApiProperty({ type: 'integer', description: 'Number of occurrences from the first to the last' })
  occurrences: number;

  @ApiProperty({
    enum: statuses,
    description:
      '`held_by_pause` is issued when the task is resumed, and never if it ended before; `held_by_limit` (max_per_event) and ' +
      '`withheld` wait for an approver, `unlinked` for a link, `blocked` until the award of another user with the same account is reversed',
  })
  status: UnissuedStatus;

  @ApiProperty({
    enum: ['budget_total', 'budget_day', ...unpayableReasons],
    nullable: true,
    description: 'Why it is withheld',
  })
  reason: string | null;

  @ApiProperty({ type: 'integer' })
  task_version: number;

  @ApiProperty({
    ...reference('FixedReward'),
    nullable: true,
    description: 'Of each occurrence; null where a formula gives no amount that can be paid',
  })
  reward: Reward | null;

  @ApiProperty({ format: 'date-time', description: 'When the goal held, in event time' })
  reached_at: string;

  @ApiProperty({ format: 'date-time' })
  noted_at: string;
}

/** A page of what is not issued. */
export class UnissuedPageReply {
  @ApiProperty({ type: [UnissuedReply] })
  items: UnissuedReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** What became of a row that was to be paid. */
export class PaidRowReply {
  @ApiProperty(rowId)
  id: number;

  @ApiProperty({ type: 'integer', description: 'Occurrences that were issued' })
  issued: number;

  @ApiProperty({ type: 'integer', description: 'Occurrences that are not issued; list them again for their ids' })
  left: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why some are left: `budget_total`, `budget_day`, `amount_absent`, `amount_zero`, `amount_too_large`, `blocked`, ' +
      '`unlinked`, `refused`, `ended_while_paused` (a pause held them, and the task ended before it was resumed, or was paused ' +
      'after its end: they are never issued), or `request_limit` (1,000 occurrences). `unknown`: no such row any more, or it has changed since it ' +
      'was listed: list again',
  })
  reason: string | null;
}

/** What was paid, in the order of the given ids. */
export class PaymentReply {
  @ApiProperty({ type: [PaidRowReply] })
  items: PaidRowReply[];
}

/** What became of a row that was to be refused. */
export class RefusedRowReply {
  @ApiProperty(rowId)
  id: number;

  @ApiProperty({ type: 'integer', description: 'Occurrences that are refused for good' })
  refused: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why none: the status of a row that waits for no approver, or `unknown`: no such row any more, or it has changed since it ' +
      'was listed',
  })
  reason: string | null;
}

/** What was refused, in the order of the given ids. */
export class RefusalReply {
  @ApiProperty({ type: [RefusedRowReply] })
  items: RefusedRowReply[];
}
