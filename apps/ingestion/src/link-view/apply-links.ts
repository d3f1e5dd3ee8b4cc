import { BatchPlace, batchError } from '@podium/runtime/consumers';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { RefusalsStore } from '../refusals/refusals.store';
import { ErasedAccount, LinkRevision, LinksStore, holdNames } from './links.store';
import { movePosition } from './positions.store';

/** What a batch of the links' topic comes to. */
export interface LinkChanges extends BatchPlace {
  readonly erased: readonly ErasedAccount[];
  readonly links: readonly LinkRevision[];
}

/** Writes changes of links into the view, in one transaction with the position behind them. */
export class ApplyLinks {
  constructor(private readonly pool: Pool) {}

  /** Rejects as `batchError` says, and with `PositionMovedError` for a batch that does not follow the stored position. */
  async apply({ erased, links, ...place }: LinkChanges): Promise<void> {
    try {
      await inTransaction(this.pool, async (tx) => {
        await holdNames(tx, erased.length > 0 ? 'alone' : 'shared');
        await movePosition(tx, place);
        const store = new LinksStore(tx);
        await store.erase(erased);
        // Refusals name the partner's user too.
        await new RefusalsStore(tx).erase(erased);
        await store.upsert(links);
      });
    } catch (error) {
      throw batchError(error);
    }
  }
}
