import { BatchPlace, movePosition as move, readPosition, readPositions as readAll } from '@podium/runtime/consumers';
import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { readLiveSet } from '../table-sets/live-table-set.store';
import { Tables, tablesOf } from '../table-sets/table-set';

/** Next offsets of the live set; each set has its own, written in the transaction of the changes. */
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

/** Advances a position of a set past a batch; throws `PositionMovedError` when the batch does not follow it. */
export function movePosition(tx: Queryable, tables: Tables, place: BatchPlace): Promise<void> {
  return move(tx, tables.positions, place);
}

/** Copies the next offsets of all topics but one from one set to another. */
export async function copyOtherPositions(tx: Queryable, from: Tables, to: Tables, topic: string): Promise<void> {
  await tx.query(
    `INSERT INTO ${to.positions} (topic, partition, next_offset)
     SELECT topic, partition, next_offset FROM ${from.positions} WHERE topic <> $1
     ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
    [topic],
  );
}
