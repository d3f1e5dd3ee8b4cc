import { readPositions } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';
import { positionsTable } from '../inbox/positions-table';
import { hasOpenGap } from '../inbox/reading-gaps.store';

/** What one moment of the database says about events. */
export interface EventSnapshot {
  /** Next offsets by partition. */
  readonly positions: ReadonlyMap<number, bigint>;
  readonly hasGap: boolean;
  /** Places of the digests that are neither in the inbox nor among the dead letters. */
  readonly missing: readonly number[];
}

/** Most milliseconds of one statement; the gateway does not wait longer. */
const statementTimeoutMs = 4_000;

/**
 * Reads positions and unknown digests (as uuid texts) at one moment, so that a digest which is missing is missing up to exactly
 * these positions. Ids are looked up only when `isComplete` accepts the positions and there is no gap. The transaction must be
 * new: it becomes a read-only snapshot.
 */
export async function readEventSnapshot(
  tx: Queryable,
  topic: string,
  digests: readonly string[],
  isComplete: (positions: ReadonlyMap<number, bigint>) => boolean,
): Promise<EventSnapshot> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await tx.query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
  const positions = await readPositions(tx, positionsTable, topic);
  const hasGap = await hasOpenGap(tx, topic);
  const missing = !hasGap && isComplete(positions) ? await findUnknown(tx, digests) : [];
  return { positions, hasGap, missing };
}

/** OFFSET 0 keeps each look-up a probe of the primary key of one partition, whatever the statistics say about the inbox. */
async function findUnknown(tx: Queryable, digests: readonly string[]): Promise<number[]> {
  const { rows } = await tx.query<{ place: number }>(
    `SELECT (place - 1)::int AS place
     FROM unnest($1::uuid[]) WITH ORDINALITY AS given (digest, place)
     WHERE NOT EXISTS (SELECT 1 FROM engagement.inbox WHERE inbox.digest = given.digest OFFSET 0)
       AND NOT EXISTS (SELECT 1 FROM engagement.dead_events WHERE dead_events.digest = given.digest OFFSET 0)
     ORDER BY place`,
    [digests],
  );
  return rows.map(({ place }) => place);
}
