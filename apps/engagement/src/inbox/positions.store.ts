import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';

/** Next offsets per topic and partition, written with what the records caused; the consumer goes there at each assignment. */
export class PositionsStore implements PositionStore {
  constructor(private readonly db: Queryable) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    const { rows } = await this.db.query<{ next_offset: string }>(
      `SELECT next_offset::text FROM engagement.positions WHERE topic = $1 AND partition = $2`,
      [topic, partition],
    );
    return rows.length === 0 ? null : BigInt(rows[0].next_offset);
  }
}

/** Moves a position forward, never back: a member that lost the partition and finishes late changes nothing. */
export async function advancePosition(
  tx: Queryable,
  place: { topic: string; partition: number; nextOffset: bigint },
): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.positions AS known (topic, partition, next_offset) VALUES ($1, $2, $3)
     ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset
     WHERE known.next_offset < excluded.next_offset`,
    [place.topic, place.partition, String(place.nextOffset)],
  );
}
