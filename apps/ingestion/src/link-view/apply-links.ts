import { DataError } from '@podium/runtime/kafka';
import { Pool, inTransaction, isDataError } from '@podium/runtime/postgres';
import { RefusalsStore } from '../refusals/refusals.store';
import { AccountRef, LinkRevision, LinksStore } from './links.store';
import { PositionsStore } from './positions.store';

/** What a batch of the links' topic comes to. */
export interface LinkChanges {
  readonly erased: readonly AccountRef[];
  readonly links: readonly LinkRevision[];
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: bigint;
}

/** Writes changes of links into the view, in one transaction with the position behind them. */
export class ApplyLinks {
  constructor(private readonly pool: Pool) {}

  /** Rejects with `DataError` when a row itself is refused. */
  async apply({ erased, links, topic, partition, nextOffset }: LinkChanges): Promise<void> {
    try {
      await inTransaction(this.pool, async (tx) => {
        const store = new LinksStore(tx);
        await store.erase(erased);
        // Refusals name the partner's user too.
        await new RefusalsStore(tx).erase(erased);
        await store.upsert(links);
        await new PositionsStore(tx).save(topic, partition, nextOffset);
      });
    } catch (error) {
      throw isDataError(error) ? new DataError('a link cannot be stored', { cause: error }) : error;
    }
  }
}
