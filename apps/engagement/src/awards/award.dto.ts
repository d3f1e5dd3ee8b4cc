import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Reward } from '@podium/messages';
import { IfGiven, UserPageQuery } from '@podium/runtime/http';
import { IsUUID } from 'class-validator';
import { reference } from '../definitions/definition-schemas';
import { standings, type Standing } from './award-standing';

/** Which awards to list. */
export class AwardsQuery extends UserPageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only this task' })
  @IfGiven()
  @IsUUID()
  task_id?: string;
}

/** An entry of an award's ledger. */
export class LedgerEntryReply {
  @ApiProperty({ type: 'integer', description: 'Position within the award' })
  seq: number;

  @ApiProperty({ enum: ['issued', 'confirmed', 'rejected', 'reversed'] })
  kind: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The entry that the bonus engine confirmed or rejected',
  })
  answers_seq: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why it was reversed or rejected; of an issue who paid it, null where the engine issued it by itself or the ledger was restored',
  })
  reason: string | null;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** An award with its ledger. */
export class AwardReply {
  @ApiProperty()
  award_id: string;

  @ApiProperty({ format: 'uuid' })
  task_id: string;

  @ApiProperty({ type: 'integer' })
  task_version: number;

  @ApiProperty({ description: 'Which time the goal was reached, for example g1:every:7' })
  occurrence: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  organizer_id: string;

  @ApiProperty()
  user_id: string;

  @ApiProperty()
  platform_user_id: string;

  @ApiProperty({ ...reference('FixedReward'), description: 'What the task pays' })
  reward: Reward;

  @ApiProperty({ format: 'date-time', description: 'When the goal held, in event time' })
  reached_at: string;

  @ApiProperty({ format: 'date-time' })
  issued_at: string;

  @ApiProperty({
    enum: standings,
    description:
      'What it is now: `issued` and not answered, the answer to its newest issue, `reversed`, or `kept` because the bonus engine ' +
      'refused to take it back',
  })
  state: Standing;

  @ApiProperty({ type: [LedgerEntryReply], description: 'Oldest first' })
  entries: LedgerEntryReply[];
}

/** A page of awards, newest first. */
export class AwardPageReply {
  @ApiProperty({ type: [AwardReply] })
  items: AwardReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
