import { recordKey, topics, userErased } from '@podium/messages';
import { partitionOf } from '@podium/runtime/kafka';
import { OutboxRecord, OutboxTombstone, appendOutbox, outboxRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { UserKey } from '../links/erased-users.queries';
import { linkKey, linkRecord } from '../links/link';
import { schema } from '../migrations/schema';
import { Account, deleteExchanges, deleteLinks, readRemaining } from './erased-links.store';
import { NewErasure, insertErasure } from './erasures.store';

/** The users to erase, and the requester. */
export interface ErasureOrder extends Pick<NewErasure, 'erasureId' | 'erasedAt' | 'requestedBy' | 'subject'> {
  /** All users of the erasure, with links or without, in hex. */
  readonly userDigests: readonly string[];
  readonly users: readonly UserKey[];
  /** Accounts to erase in addition to those that the users have links with. */
  readonly accounts: readonly Account[];
  /** Whether the erasure itself is published; one that was read from its topic is not published again. */
  readonly isNew: boolean;
}

/**
 * Erases users from everything that linkage stores. Publishes a tombstone for each account, or the state of the account's
 * other user if there is one. Returns how many links were deleted. The caller has blocked linking.
 */
export async function eraseUsers(tx: Queryable, order: ErasureOrder): Promise<number> {
  const links = await deleteLinks(tx, order.users, order.erasedAt);
  // Their times are of the clocks of instances.
  await deleteExchanges(tx, order.userDigests, order.isNew ? null : order.erasedAt);
  const accounts = new Map([...links, ...order.accounts].map((account) => [linkKey(account), account]));
  const remaining = new Map((await readRemaining(tx, [...accounts.values()])).map((link) => [linkKey(link), link]));
  const changes = [...accounts.keys()].map((key): OutboxRecord | OutboxTombstone => {
    const other = remaining.get(key);
    return other ? linkRecord(other) : { topic: topics.links, key, tombstone: true };
  });
  const outboxIds = await appendOutbox(tx, schema, [...changes, ...(order.isNew ? [erasureRecord(order)] : [])]);
  const partitions = [...accounts.keys()].map((key) => partitionOf(key, topics.links.partitions));
  await insertErasure(tx, { ...order, links: links.length, linkPartitions: [...new Set(partitions)], outboxIds });
  return links.length;
}

/** The record of an erasure. */
export function erasureRecord({
  erasureId,
  userDigests,
  erasedAt,
}: Pick<ErasureOrder, 'erasureId' | 'userDigests' | 'erasedAt'>): OutboxRecord {
  return outboxRecord({
    topic: topics.erasures,
    key: recordKey(erasureId),
    definition: userErased,
    data: { erasure_id: erasureId, users: [...userDigests], erased_at: erasedAt.getTime() / 1000 },
    recordId: erasureId,
  });
}
