import { BonusAwardReversedData, bonusAwardReversed, topics } from '@podium/messages';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { takeAnswers, takePublishedEntries } from '../../../engagement/src/operations/restore/restore-ledger';
import {
  PublishedEntry,
  readMissingVersions,
  recountBudgets,
} from '../../../engagement/src/operations/restore/restored-ledger.store';
import { RestoreParts, readRecords } from './read-records';

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
  let entries = 0;
  let answers = 0;
  let unknown = 0;
  let awards = 0;
  const versions = new Map<string, { definitionId: string; version: number }>();
  const contradictions: string[] = [];
  const unreadableAwards = await readRecords(parts, topics.awards, async (records) => {
    const published = records.flatMap(({ record }): PublishedEntry[] => {
      if (!record) return [];
      const { data, occurred_at: atMs } = record;
      const isReversal = record.type === bonusAwardReversed.type;
      const reason = isReversal ? (data as BonusAwardReversedData).reason : null;
      return [{ kind: isReversal ? 'reversed' : 'issued', award: data, reason, atMs }];
    });
    const taken = await inTransaction(parts.pool, async (tx) => {
      const added = await takePublishedEntries(tx, published);
      if (added.addedEntries > 0) await recountBudgets(tx, [...new Set(published.map(({ award }) => award.task_id))]);
      return added;
    });
    for (const { task_id: definitionId, task_version: version } of taken.addedAwards)
      versions.set(`${definitionId}/${version}`, { definitionId, version });
    awards += taken.addedAwards.length;
    entries += taken.addedEntries;
    contradictions.push(...taken.contradictions);
  });
  const unreadableResults = await readRecords(parts, topics.awardResults, async (records) => {
    const read = records.flatMap(({ record }) => (record ? [{ data: record.data, atMs: record.occurred_at }] : []));
    const taken = await inTransaction(parts.pool, (tx) => takeAnswers(tx, read));
    answers += taken.added;
    unknown += taken.unknown;
  });
  return {
    awards,
    entries,
    answers,
    unknown_answers: unknown,
    unreadable: unreadableAwards + unreadableResults,
    missing_tasks: await readMissingVersions(queryable(parts.pool), [...versions.values()]),
    contradictions,
  };
}
