import {
  BonusAwardIssuedData,
  BonusAwardReversedData,
  DefinitionData,
  RateData,
  SegmentMembershipData,
  TaskProgressData,
  bonusAwardReversed,
  topics,
} from '@podium/messages';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { takeDefinitions } from './restore-definitions';
import { entryNames, takePublishedEntries } from './restore-ledger';
import { PublishedProgress, takeToldProgress } from './restore-progress';
import { takeRates } from './restore-rates';
import { takeMemberships } from './restore-views';
import { PublishedDefinition } from './restored-definitions.store';
import { PublishedEntry, recountBudgets } from './restored-ledger.store';

/**
 * Restores what engagement has published and Postgres has lost in a failover, before anything is evaluated again: re-read events
 * issue no award twice, definitions, memberships and progress are as they were published, and approved rates convert amounts as
 * before. Results of the bonus engine and erasures are re-read from
 * their own topics.
 */
export async function repairLostCommits(tx: Queryable, lost: readonly PublishedRecord[], nowMs: number): Promise<void> {
  // A version that the release before has published meanwhile under the same number stays, and is published again.
  await takeDefinitions(tx, lost.flatMap(definitionOf), 'failover');
  // The lost entries of all partitions at once: what is blocked stays so.
  const entries = lost.flatMap(entryOf);
  const { contradictions, blocked, addedEntries } = await takePublishedEntries(tx, entries);
  // The rows of a day may have been lost with its first issues.
  if (addedEntries > 0) await recountBudgets(tx, [...new Set(entries.map(({ award }) => award.task_id))]);
  const differing = [...contradictions, ...entryNames(blocked)];
  if (differing.length > 0)
    throw new Error(`the topic and the ledger contradict each other: ${differing.slice(0, 20).join(', ')}`);
  await takeMemberships(tx, newestMemberships(lost), nowMs);
  await takeToldProgress(tx, lost.flatMap(progressOf));
  await takeRates(tx, ratesOf(lost), nowMs);
}

function progressOf({ topic, revision, record }: PublishedRecord): PublishedProgress[] {
  return topic === topics.taskProgress.name && record ? [{ revision, data: record.data as TaskProgressData }] : [];
}

function definitionOf({ topic, revision, record }: PublishedRecord): PublishedDefinition[] {
  return topic === topics.definitions.name && record ? [{ revision, data: record.data as DefinitionData }] : [];
}

function ratesOf(lost: readonly PublishedRecord[]): RateData[] {
  const rates = lost.flatMap(({ topic, key, record }) =>
    topic === topics.rates.name && record ? [[key, record.data as RateData] as const] : [],
  );
  return [...new Map(rates).values()];
}

function entryOf({ topic, record }: PublishedRecord): PublishedEntry[] {
  if (topic !== topics.awards.name || !record) return [];
  const isReversal = record.type === bonusAwardReversed.type;
  const reason = isReversal ? (record.data as BonusAwardReversedData).reason : null;
  const award = record.data as BonusAwardIssuedData;
  return [{ kind: isReversal ? 'reversed' : 'issued', award, reason, atMs: record.occurred_at }];
}

/** The last record of each key; removed keys are left out. */
function newestMemberships(lost: readonly PublishedRecord[]): SegmentMembershipData[] {
  const newest = new Map<string, PublishedRecord>();
  for (const each of lost) if (each.topic === topics.memberships.name) newest.set(each.key, each);
  return [...newest.values()].flatMap(({ record }) => (record ? [record.data as SegmentMembershipData] : []));
}
