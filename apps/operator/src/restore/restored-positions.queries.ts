import { Queryable } from '@podium/runtime/postgres';

/** A table of positions that are written with what was published or read up to them. */
export type PositionsTable =
  'linkage.outbox_positions' | 'engagement.outbox_positions' | 'engagement.positions' | 'ingestion.positions';

/** The next offset per partition of a topic. */
export async function readPositionsOf(
  db: Queryable,
  table: PositionsTable,
  topic: string,
): Promise<Map<number, bigint>> {
  const { rows } = await db.query<{ partition: number; next: string }>(
    `SELECT partition, next_offset::text AS next FROM ${table} WHERE topic = $1`,
    [topic],
  );
  return new Map(rows.map(({ partition, next }) => [partition, BigInt(next)]));
}
