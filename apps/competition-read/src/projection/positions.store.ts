import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';
import { readLiveSet } from './live-set.store';
import { Tables, tablesOf } from './table-set';

/** Next offsets of the set that is live; each set has its own, written with what the records brought. */
export class PositionsStore implements PositionStore {
  constructor(private readonly db: Queryable) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    const { live } = await readLiveSet(this.db);
    return readPosition(this.db, tablesOf(live), { topic, partition });
  }
}

/** The next offset of a partition in a set; null when the set has nothing of it. */
export async function readPosition(
  db: Queryable,
  tables: Tables,
  { topic, partition }: { topic: string; partition: number },
): Promise<bigint | null> {
  const { rows } = await db.query<{ next_offset: string }>(
    `SELECT next_offset::text FROM ${tables.positions} WHERE topic = $1 AND partition = $2`,
    [topic, partition],
  );
  return rows.length === 0 ? null : BigInt(rows[0].next_offset);
}

/** All next offsets of a topic in a set, by partition. */
export async function readPositions(db: Queryable, tables: Tables, topic: string): Promise<Map<number, bigint>> {
  const { rows } = await db.query<{ partition: number; next_offset: string }>(
    `SELECT partition, next_offset::text FROM ${tables.positions} WHERE topic = $1`,
    [topic],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
}

/** Moves a position of a set forward, never back. */
export async function advancePosition(
  tx: Queryable,
  tables: Tables,
  place: { topic: string; partition: number; nextOffset: bigint },
): Promise<void> {
  await tx.query(
    `INSERT INTO ${tables.positions} AS known (topic, partition, next_offset) VALUES ($1, $2, $3)
     ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset
     WHERE known.next_offset < excluded.next_offset`,
    [place.topic, place.partition, String(place.nextOffset)],
  );
}
