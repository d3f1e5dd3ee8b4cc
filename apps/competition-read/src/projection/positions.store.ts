import { BatchPlace, movePosition as move, readPosition, readPositions as readAll } from '@podium/runtime/consumers';
import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { readLiveSet } from './live-set.store';
import { Tables, tablesOf } from './table-set';

/** Next offsets of the set that is live; each set has its own, written with what the records brought. */
export class PositionsStore implements PositionStore {
  constructor(private readonly db: Queryable) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    const { live } = await readLiveSet(this.db);
    return readPosition(this.db, tablesOf(live).positions, { topic, partition });
  }

  async loadAll(topic: string): Promise<Map<number, bigint>> {
    const { live } = await readLiveSet(this.db);
    return readPositions(this.db, tablesOf(live), topic);
  }
}

/** All next offsets of a topic in a set, by partition. */
export function readPositions(db: Queryable, tables: Tables, topic: string): Promise<Map<number, bigint>> {
  return readAll(db, tables.positions, topic);
}

/** Moves a position of a set from where the batch follows it; throws `PositionMovedError` when it is elsewhere. */
export function movePosition(tx: Queryable, tables: Tables, place: BatchPlace): Promise<void> {
  return move(tx, tables.positions, place);
}
