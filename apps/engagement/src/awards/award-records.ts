import { BonusAwardIssuedData, bonusAwardIssued, bonusAwardReversed, recordKey, topics } from '@podium/messages';
import { OutboxRecord, appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { childSpan, traceparentOfSpan } from '@podium/runtime/trace';
import { inSlices } from './award-volume';
import { Caused, CausedAward, CausedReversal } from './cause';

/** Entries of the ledger that leave for the bonus engine. */
export interface AwardRecords {
  readonly reversed: readonly CausedReversal[];
  readonly issued: readonly CausedAward[];
}

/** Appends the records to the outbox, reversals first, and returns the entries with their spans. */
export async function publishAwards(tx: Queryable, { reversed, issued }: AwardRecords): Promise<AwardRecords> {
  const traced = { reversed: reversed.map(withSpan), issued: issued.map(withSpan) };
  await append(tx, bonusAwardReversed, traced.reversed);
  await append(tx, bonusAwardIssued, traced.issued);
  return traced;
}

function append(
  tx: Queryable,
  definition: typeof bonusAwardIssued | typeof bonusAwardReversed,
  entries: readonly Caused<BonusAwardIssuedData>[],
): Promise<void> {
  return inSlices(entries, (slice) =>
    appendOutbox(
      tx,
      'engagement',
      slice.map((entry) => recordOf(definition, entry)),
    ),
  );
}

function withSpan<Award extends BonusAwardIssuedData>({ award, cause }: Caused<Award>): Caused<Award> {
  const span = childSpan('enter award', cause?.traceparent, {
    attributes: {
      'podium.award.id': award.award_id,
      'podium.award.seq': award.seq,
      'podium.task.id': award.task_id,
      'podium.platform': award.platform,
    },
  });
  return { award, cause, span };
}

function recordOf(
  definition: typeof bonusAwardIssued | typeof bonusAwardReversed,
  { award, cause, span }: Caused<BonusAwardIssuedData>,
): OutboxRecord {
  return {
    topic: topics.awards,
    key: recordKey(award.platform, award.user_id),
    definition,
    data: award,
    recordId: `${award.award_id}-${award.seq}`,
    traceparent: span ? traceparentOfSpan(span) : cause?.traceparent,
  };
}
