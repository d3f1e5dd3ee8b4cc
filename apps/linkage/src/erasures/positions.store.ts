import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';

/** How far erasures were read back: the tables' own account, so that a restored database reads what it lacks. */
export class PositionsStore implements PositionStore {
  constructor(private readonly db: Queryable) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    const { rows } = await this.db.query<{ next_offset: string }>(
      'SELECT next_offset::text FROM linkage.positions WHERE topic = $1 AND partition = $2',
      [topic, partition],
    );
    return rows.length === 0 ? null : BigInt(rows[0].next_offset);
  }

  /** A lower offset is written too: reading twice does no harm. */
  async save(topic: string, partition: number, nextOffset: bigint): Promise<void> {
    await this.db.query(
      `INSERT INTO linkage.positions (topic, partition, next_offset) VALUES ($1, $2, $3)
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
      [topic, partition, String(nextOffset)],
    );
  }
}
