import { UserErasedData, identityDigest } from '@podium/messages';
import { DataError } from '@podium/runtime/kafka';
import { Pool, Queryable, inTransaction, isDataError } from '@podium/runtime/postgres';
import { eraseUsers, userDigest } from './erase-users';
import { findUsers } from './erased-links.store';
import { holdLinking, readKnown } from './erasures.store';
import { PositionsStore } from './positions.store';

/** Who asked, of an erasure that is known from its topic alone. */
const requestedBy = 'its topic';

/** Applies erasures that this database does not know, in one transaction with the position behind them. */
export class ReapplyErasures {
  constructor(private readonly pool: Pool) {}

  /** Returns the ids of those that were not known. Rejects with `DataError` when an erasure itself is refused. */
  async apply(
    erasures: readonly UserErasedData[],
    place: { topic: string; partition: number; nextOffset: bigint },
  ): Promise<Set<string>> {
    try {
      return await inTransaction(this.pool, async (tx) => {
        const byId = new Map(erasures.map((erasure) => [erasure.erasure_id, erasure]));
        for (const known of await readKnown(tx, [...byId.keys()])) byId.delete(known);
        if (byId.size > 0) await applyUnknown(tx, [...byId.values()]);
        await new PositionsStore(tx).save(place.topic, place.partition, place.nextOffset);
        return new Set(byId.keys());
      });
    } catch (error) {
      throw isDataError(error) ? new DataError('an erasure cannot be applied', { cause: error }) : error;
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
