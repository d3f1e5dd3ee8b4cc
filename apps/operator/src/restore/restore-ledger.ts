import { BonusAwardReversedData, bonusAwardIssued, bonusAwardReversed, topics } from '@podium/messages';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { RestoreAwards } from '../../../engagement/src/operations/restore/restore-awards';
import { takeAnswers } from '../../../engagement/src/operations/restore/restore-ledger';
import { PublishedEntry, readMissingVersions } from '../../../engagement/src/operations/restore/restored-ledger.store';
import { ReadRecord, RestoreParts, readRecords } from './read-records';

/** Entries that the ledger received from the topics of awards and results. */
export interface RestoredLedger {
  readonly awards: number;
  readonly entries: number;
  readonly answers: number;
  /** Results for awards that neither ledger nor topic has. */
  readonly unknown_answers: number;
  /** Records that could not be read. */
  readonly unreadable: number;
  /** Tasks that awarded after the restored moment and that the database lacks, or lacks in this version. */
  readonly missing_tasks: readonly string[];
  /** Published entries that differ from the ledger: `<award id>/<seq>`. */
  readonly contradictions: readonly string[];
}

/** Reads the topics of awards and results into the ledger, so that no award is issued again. */
export async function restoreLedger(parts: RestoreParts): Promise<RestoredLedger> {
  const restore = new RestoreAwards(parts.pool);
  const unreadableAwards = await readRecords(parts, topics.awards, (records) =>
    restore.take(records.flatMap(publishedEntry)),
  );
  const { versions, ...awards } = await restore.finish();
  let answers = 0;
  let unknown = 0;
  const unreadableResults = await readRecords(parts, topics.awardResults, async (records) => {
    const read = records.flatMap(({ record }) => (record ? [{ data: record.data, atMs: record.occurred_at }] : []));
    const taken = await inTransaction(parts.pool, (tx) => takeAnswers(tx, read));
    answers += taken.added;
    unknown += taken.unknown;
  });
  return {
    ...awards,
    answers,
    unknown_answers: unknown,
    unreadable: unreadableAwards + unreadableResults,
    missing_tasks: await readMissingVersions(queryable(parts.pool), versions),
  };
}

function publishedEntry({ record }: ReadRecord<typeof bonusAwardIssued | typeof bonusAwardReversed>): PublishedEntry[] {
  if (!record) return [];
  const { data, occurred_at: atMs } = record;
  const isReversal = record.type === bonusAwardReversed.type;
  const reason = isReversal ? (data as BonusAwardReversedData).reason : null;
  return [{ kind: isReversal ? 'reversed' : 'issued', award: data, reason, atMs }];
}
