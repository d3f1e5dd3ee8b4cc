import { UserErasedData, identityDigest } from '@podium/messages';
import { BatchPlace, batchError } from '@podium/runtime/consumers';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { eraseUsers, userDigest } from '../../erasures/erase-users';
import { findUsers } from '../../erasures/erased-links.store';
import { holdLinking, readKnown } from '../../erasures/erasures.store';
import { movePosition } from '../../erasures/positions.store';

/** Who asked, of an erasure that is known from its topic alone. */
const requestedBy = 'its topic';

/** Applies erasures that this database does not know, in one transaction with the position behind them. */
export class ReapplyErasures {
  constructor(private readonly pool: Pool) {}

  /** Returns the ids of those that were not known. Rejects as `batchError` says. */
  async apply(erasures: readonly UserErasedData[], place: BatchPlace): Promise<Set<string>> {
    try {
      return await inTransaction(this.pool, async (tx) => {
        await movePosition(tx, place);
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
  await holdLinking(tx);
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
