import { identityDigest, recordKey, topics, userErased } from '@podium/messages';
import { partitionOf } from '@podium/runtime/kafka';
import { OutboxRecord, OutboxTombstone, appendOutbox, outboxRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { linkKey, linkRecord } from '../links/link';
import { schema } from '../migrations/schema';
import { Account, deleteLinks, readHeirs } from './erased-links.store';
import { NewErasure, UserKey, insertErasure } from './erasures.store';

/** Whom to erase, and in whose name. */
export interface ErasureOrder extends Pick<NewErasure, 'erasureId' | 'erasedAt' | 'requestedBy' | 'subject'> {
  /** All that the erasure is about, links or not, in hex. */
  readonly userDigests: readonly string[];
  readonly users: readonly UserKey[];
  /** Accounts to forget besides those that the users have links with. */
  readonly accounts: readonly Account[];
  /** Whether the erasure itself is told; one that came by its topic is not told again. */
  readonly isNew: boolean;
}

/** Digest of a user, in hex: what is kept of one who was erased. */
export function userDigest({ platform, userId }: UserKey): string {
  return identityDigest(platform, userId).toString('hex');
}

/**
 * Erases users from everything that linkage holds and tells everybody: a tombstone for each account, or, where an account
 * was another user's too, that user's state. Returns how many links went. The caller holds linking off.
 */
export async function eraseUsers(tx: Queryable, order: ErasureOrder): Promise<number> {
  const links = await deleteLinks(tx, order.users, order.erasedAt);
  const accounts = new Map([...links, ...order.accounts].map((account) => [linkKey(account), account]));
  const heirs = new Map((await readHeirs(tx, [...accounts.values()])).map((link) => [linkKey(link), link]));
  const changes = [...accounts.keys()].map((key): OutboxRecord | OutboxTombstone => {
    const heir = heirs.get(key);
    return heir ? linkRecord(heir) : { topic: topics.links, key, tombstone: true };
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
