import { BatchPlace, batchError, movePosition } from '@podium/runtime/consumers';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { holdErasureLock } from '../accounts/erasure-lock.store';
import { RefusalsStore } from '../refusals/refusals.store';
import { RefusedEventsStore } from '../refusals/refused-events.store';
import { ErasedAccount, LinkRevision, LinksStore } from './links.store';
import { positionsTable } from './positions-table';

/** Changes of links in one batch, at most one erasure and one state per account. */
export interface LinkChanges {
  readonly erased: readonly ErasedAccount[];
  readonly links: readonly LinkRevision[];
}

/** Stores changes of links in the view, in one transaction with the consumer position. */
export class ApplyLinks {
  constructor(private readonly pool: Pool) {}

  /** Rejects with the error of `batchError`, or with `PositionMovedError` if the batch does not follow the stored position. */
  async apply({ erased, links, ...place }: LinkChanges & BatchPlace): Promise<void> {
    try {
      await inTransaction(this.pool, async (tx) => {
        await holdErasureLock(tx, erased.length > 0 ? 'exclusive' : 'shared');
        await movePosition(tx, positionsTable, place);
        const store = new LinksStore(tx);
        await store.erase(erased);
        // Refusals contain the partner's user too.
        await new RefusalsStore(tx).erase(erased);
        await new RefusedEventsStore(tx).erase(erased);
        await store.upsert(links);
      });
    } catch (error) {
      throw batchError(error);
    }
  }
}
