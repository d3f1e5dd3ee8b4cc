import { Queryable } from '@podium/runtime/postgres';

/** Why nobody has read these offsets: the topic did not have them any more, or operators let an undecodable batch pass. */
export type GapCause = 'expired' | 'undecodable';

/** Offsets that a position has passed although nobody has read them. */
export interface ReadingGap {
  readonly topic: string;
  readonly partition: number;
  readonly fromOffset: bigint;
  /** The first offset after the gap. */
  readonly untilOffset: bigint;
  readonly cause: GapCause;
}

/** Remembers a gap; one that is known already, open or closed, stays as it is. */
export async function insertReadingGap(tx: Queryable, gap: ReadingGap): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.reading_gaps (topic, partition, from_offset, until_offset, cause)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [gap.topic, gap.partition, String(gap.fromOffset), String(gap.untilOffset), gap.cause],
  );
}

/** Whether a topic has an open gap. */
export async function hasOpenGap(db: Queryable, topic: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT 1 FROM engagement.reading_gaps WHERE topic = $1 AND closed_at IS NULL LIMIT 1`,
    [topic],
  );
  return rowCount !== 0;
}
