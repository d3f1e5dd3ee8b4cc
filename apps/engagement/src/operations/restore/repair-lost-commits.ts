import {
  BonusAwardIssuedData,
  BonusAwardReversedData,
  SegmentMembershipData,
  bonusAwardReversed,
  topics,
} from '@podium/messages';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { takePublishedEntries } from './restore-ledger';
import { takeMemberships } from './restore-views';
import { PublishedEntry } from './restored-ledger.store';

/**
 * Restores what engagement has published and Postgres has lost in a failover, before anything is evaluated again: re-read events
 * issue no award twice, and memberships are as they were published. Results of the bonus engine and erasures are re-read from
 * their own topics.
 */
export async function repairLostCommits(tx: Queryable, lost: readonly PublishedRecord[], nowMs: number): Promise<void> {
  const { contradictions } = await takePublishedEntries(tx, lost.flatMap(entryOf));
  if (contradictions.length > 0)
    throw new Error(`the topic and the ledger contradict each other: ${contradictions.slice(0, 20).join(', ')}`);
  await takeMemberships(tx, newestMemberships(lost), nowMs);
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
