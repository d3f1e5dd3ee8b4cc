import { UserErasedData } from '@podium/messages';
import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { OutboxRecord, OutboxTimelineStore, OutboxTombstone, appendOutbox } from '@podium/runtime/outbox';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { holdEpochAlone } from '../definitions/epoch.store';
import { positionsTable } from '../inbox/positions-table';
import { membershipRecord, membershipTombstone } from '../memberships/membership-record';
import { LockedUser } from '../users/users.store';
import { deleteUsers, lockUsersByDigest, readAllMemberships, storeErasures } from './erasures.store';

const timeline = new OutboxTimelineStore('engagement');

/** Erasures of one partition, and the position behind them. */
export interface ErasureBatch extends BatchPlace {
  readonly erasures: readonly UserErasedData[];
}

/**
 * Erases users: stores each erasure, deletes all that is derived from the user, publishes the end of memberships, and replaces
 * names in awards by pseudonyms. One transaction, while no batch of events or links runs: earlier batches are deleted, later
 * ones see the erasure.
 */
export class EraseUsers {
  constructor(
    private readonly pool: Pool,
    private readonly now: () => number = Date.now,
  ) {}

  /** After a failover it waits until the ledger is repaired, whose entries carry the names that were published. */
  async apply(batch: ErasureBatch): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      await holdEpochAlone(tx);
      await timeline.require(tx);
      await movePosition(tx, positionsTable, batch);
      const digests = await storeErasures(tx, batch.erasures);
      const users = await lockUsersByDigest(tx, digests);
      if (users.length > 0) {
        await appendOutbox(tx, 'engagement', await endOfMemberships(tx, users, Math.floor(this.now() / 1000)));
        await deleteUsers(tx, users);
      }
    });
  }
}

/** For each membership that was ever published: a record that it ended, if it has not yet, and then a tombstone. */
async function endOfMemberships(
  tx: Queryable,
  users: readonly LockedUser[],
  nowS: number,
): Promise<(OutboxRecord | OutboxTombstone)[]> {
  const byRef = new Map(users.map((user) => [user.userRef, user]));
  const memberships = await readAllMemberships(tx, [...byRef.keys()]);
  return memberships.flatMap(({ organizerId, member, ...membership }) => {
    const user = byRef.get(membership.userRef)!;
    const gone = membershipTombstone(user, membership.segmentId);
    if (!member || organizerId === null) return [gone];
    const ended = { ...membership, member: false, changedAt: nowS, reason: 'link' as const };
    return [membershipRecord({ user, organizerId, platformUserId: '', membership: ended }), gone];
  });
}
