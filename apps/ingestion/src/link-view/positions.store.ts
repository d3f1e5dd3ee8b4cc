import { PositionStore } from '@podium/runtime/kafka';
import { Queryable } from '@podium/runtime/postgres';

/** How far the link view has read: the table's own account, which the group's commits in the broker are not. */
export class PositionsStore implements PositionStore {
  constructor(private readonly db: Queryable) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    const { rows } = await this.db.query<{ next_offset: string }>(
      'SELECT next_offset::text FROM ingestion.positions WHERE topic = $1 AND partition = $2',
      [topic, partition],
    );
    return rows.length === 0 ? null : BigInt(rows[0].next_offset);
  }

  /** A lower offset is written too: a topic that was made anew begins again, and reading twice does no harm. */
  async save(topic: string, partition: number, nextOffset: bigint): Promise<void> {
    await this.db.query(
      `INSERT INTO ingestion.positions (topic, partition, next_offset) VALUES ($1, $2, $3)
           ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
      [topic, partition, String(nextOffset)],
    );
  }
}
