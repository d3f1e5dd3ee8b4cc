import { UserErasedData, topics } from '@podium/messages';
import { BatchPlace } from '@podium/runtime/consumers';
import { OutboxRecord, OutboxTimelineStore, OutboxTombstone, appendOutbox } from '@podium/runtime/outbox';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { holdEpochAlone } from '../definitions/epoch.store';
import { movePosition } from '../inbox/positions.store';
import { LockedUser } from '../inbox/users.store';
import { membershipRecord } from '../memberships/membership-record';
import { deleteUsers, keepErasures, lockUsersByDigest, readAllMemberships } from './erasures.store';

const timeline = new OutboxTimelineStore('engagement');

/** Erasures of one partition, and the position behind them. */
export interface ErasureBatch extends BatchPlace {
  readonly erasures: readonly UserErasedData[];
}

/**
 * Keeps erasures and erases their users in one transaction, while no batch of events or links is under way: what such a
 * batch wrote before is deleted, what one writes after knows the erasure. After a failover it waits for the ledger to be
 * repaired, whose entries name users as they were published.
 */
export async function applyErasures(parts: Pick<ApplyParts, 'pool' | 'now'>, batch: ErasureBatch): Promise<void> {
  await inTransaction(parts.pool, async (tx) => {
    await holdEpochAlone(tx);
    await timeline.require(tx);
    await movePosition(tx, batch);
    const digests = await keepErasures(tx, batch.erasures);
    const users = await lockUsersByDigest(tx, digests);
    if (users.length > 0) {
      await appendOutbox(tx, 'engagement', await farewells(tx, users, Math.floor(parts.now() / 1000)));
      await deleteUsers(tx, users);
    }
  });
}

/** For each membership that was ever told: that it ended, if it has not yet, and then a tombstone. */
async function farewells(
  tx: Queryable,
  users: readonly LockedUser[],
  nowS: number,
): Promise<(OutboxRecord | OutboxTombstone)[]> {
  const byRef = new Map(users.map((user) => [user.userRef, user]));
  const memberships = await readAllMemberships(tx, [...byRef.keys()]);
  return memberships.flatMap(({ organizerId, member, ...membership }) => {
    const left = membershipRecord({
      user: byRef.get(membership.userRef)!,
      organizerId,
      platformUserId: '',
      membership: { ...membership, member: false, changedAt: nowS, reason: 'link' },
    });
    return [...(member ? [left] : []), { topic: topics.memberships, key: left.key, tombstone: true }];
  });
}
