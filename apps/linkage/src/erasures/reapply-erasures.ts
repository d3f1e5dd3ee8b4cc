import { UserErasedData, identityDigest } from '@podium/messages';
import { BatchPlace, batchError, movePosition } from '@podium/runtime/consumers';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { userDigest } from '../links/erased-users.queries';
import { blockLinking } from '../links/linking-lock.store';
import { eraseUsers } from './erase-users';
import { findUsers } from './erased-links.store';
import { readKnown } from './erasures.store';
import { positionsTable } from './positions-table';

/** The requester of an erasure that is known from its topic only. */
const requestedBy = 'its topic';

/** Applies erasures missing from this database, as after a restore, in one transaction with the consumer position. */
export class ReapplyErasures {
  constructor(private readonly pool: Pool) {}

  /** Returns the ids of the erasures that were missing. Rejects with the error of `batchError`. */
  async apply(erasures: readonly UserErasedData[], place: BatchPlace): Promise<Set<string>> {
    try {
      return await inTransaction(this.pool, async (tx) => {
        await movePosition(tx, positionsTable, place);
        const byId = new Map(erasures.map((erasure) => [erasure.erasure_id, erasure]));
        for (const known of await readKnown(tx, [...byId.keys()])) byId.delete(known);
        if (byId.size > 0) await applyUnknown(tx, [...byId.values()]);
        return new Set(byId.keys());
      });
    } catch (error) {
      throw batchError(error);
    }
  }
}

async function applyUnknown(tx: Queryable, erasures: readonly UserErasedData[]): Promise<void> {
  await blockLinking(tx);
  const found = await findUsers(
    tx,
    erasures.flatMap(({ users }) => users),
  );
  const byDigest = new Map(found.map((user) => [userDigest(user), user]));
  for (const { erasure_id, users, erased_at } of erasures)
    await eraseUsers(tx, {
      erasureId: erasure_id,
      subject: identityDigest('erasure', erasure_id).toString('hex'),
      erasedAt: new Date(erased_at * 1000),
      requestedBy,
      userDigests: users,
      users: users.flatMap((digest) => byDigest.get(digest) ?? []),
      accounts: [],
      isNew: false,
    });
}
