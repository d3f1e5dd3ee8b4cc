import { Queryable } from '@podium/runtime/postgres';
import { GapCause, ReadingGap } from '../../inbox/reading-gaps.store';

/** A gap as operators see it. */
export interface StoredGap extends ReadingGap {
  readonly gap: number;
  readonly foundAt: Date;
  /** Null while it is open. */
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
}

/** The gaps of a topic, the newest first. */
export async function listReadingGaps(db: Queryable, topic: string, limit: number): Promise<StoredGap[]> {
  const { rows } = await db.query<{
    gap: string;
    partition: number;
    from_offset: string;
    until_offset: string;
    cause: GapCause;
    found_at: Date;
    closed_at: Date | null;
    closed_by: string | null;
  }>(
    `SELECT gap::text, partition, from_offset::text, until_offset::text, cause, found_at, closed_at, closed_by
     FROM engagement.reading_gaps WHERE topic = $1 ORDER BY reading_gaps.gap DESC LIMIT $2`,
    [topic, limit],
  );
  return rows.map((row) => ({
    ...{ gap: Number(row.gap), topic, partition: row.partition, cause: row.cause },
    ...{ fromOffset: BigInt(row.from_offset), untilOffset: BigInt(row.until_offset) },
    ...{ foundAt: row.found_at, closedAt: row.closed_at, closedBy: row.closed_by },
  }));
}

/** Closes an open gap of a topic; returns false when there is none of this number. */
export async function closeReadingGap(db: Queryable, topic: string, gap: number, closedBy: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE engagement.reading_gaps SET closed_at = now(), closed_by = $3
     WHERE topic = $1 AND gap = $2 AND closed_at IS NULL`,
    [topic, gap, closedBy],
  );
  return rowCount === 1;
}
