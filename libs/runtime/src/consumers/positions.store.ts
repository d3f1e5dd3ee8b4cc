import { PositionMovedError, PositionStore, RecordBatch } from '../kafka';
import { Queryable } from '../postgres';

/** The place of a batch in its topic, and the offset to which the stored position moves. */
export interface BatchPlace {
  readonly topic: string;
  readonly partition: number;
  /** The stored position that the batch follows, null for none yet; `any` while no consumer runs. */
  readonly position: bigint | null | 'any';
  readonly nextOffset: bigint;
}

/** The place of a batch; throws for a consumer without a position store. */
export function placeOf(batch: Pick<RecordBatch, 'topic' | 'partition' | 'position' | 'lastOffset'>): BatchPlace {
  const { topic, partition, position, lastOffset } = batch;
  if (position === undefined)
    throw new Error(`the consumer of ${topic} stores its own positions and has no position store`);
  return { topic, partition, position, nextOffset: lastOffset + 1n };
}

/** Next offsets by topic and partition in a service's own table, written in the transaction of the records' effects. */
export class TablePositions implements PositionStore {
  constructor(
    private readonly db: Queryable,
    private readonly table: string,
  ) {}

  async load(topic: string, partition: number): Promise<bigint | null> {
    return readPosition(this.db, this.table, { topic, partition });
  }

  loadAll(topic: string): Promise<Map<number, bigint>> {
    return readPositions(this.db, this.table, topic);
  }
}

/** The next offset of a partition; null when the table has none. */
export async function readPosition(
  db: Queryable,
  table: string,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): Promise<bigint | null> {
  const { rows } = await db.query<{ next_offset: string }>(
    `SELECT next_offset::text FROM ${table} WHERE topic = $1 AND partition = $2`,
    [topic, partition],
  );
  return rows.length === 0 ? null : BigInt(rows[0].next_offset);
}

/** All next offsets of a topic, by partition. */
export async function readPositions(db: Queryable, table: string, topic: string): Promise<Map<number, bigint>> {
  const { rows } = await db.query<{ partition: number; next_offset: string }>(
    `SELECT partition, next_offset::text FROM ${table} WHERE topic = $1`,
    [topic],
  );
  return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
}

/**
 * Moves a position in the transaction of the batch's effects and locks its row until the end. Throws `PositionMovedError` when
 * the stored position is not the one that the batch follows: applying the batch would skip records or apply them twice.
 */
export async function movePosition(tx: Queryable, table: string, place: BatchPlace): Promise<void> {
  const { topic, partition, position, nextOffset } = place;
  const values = [topic, partition, String(nextOffset)];
  if (position === 'any') {
    await tx.query(
      `INSERT INTO ${table} (topic, partition, next_offset) VALUES ($1, $2, $3)
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
      values,
    );
    return;
  }
  const { rowCount } =
    position === null
      ? await tx.query(
          `INSERT INTO ${table} (topic, partition, next_offset) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
          values,
        )
      : await tx.query(
          `UPDATE ${table} SET next_offset = $3 WHERE topic = $1 AND partition = $2 AND next_offset = $4`,
          [...values, String(position)],
        );
  if (rowCount !== 1) throw new PositionMovedError({ topic, partition, position });
}
