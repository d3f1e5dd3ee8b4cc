import { Queryable } from '@podium/runtime/postgres';
import { TermPoint } from '../evaluation/term-point';

/** A definition's running state of one user. */
export interface StateKey {
  readonly userRef: number;
  readonly definitionId: string;
  readonly generation: number;
}

/** A point with the state to which it belongs. */
export interface UserTermPoint extends StateKey {
  readonly point: TermPoint;
}

/** The map key of a state. */
export function stateKeyText(key: StateKey): string {
  return `${key.userRef}/${key.definitionId}/${key.generation}`;
}

/**
 * Merges points into the stored ones by the rules of `mergePoint`: count and sum add, the latest is that of the greater
 * (latest_at, latest_id). At most one point per state, term and bucket; the users are locked by the caller.
 */
export async function addTermPoints(tx: Queryable, points: readonly UserTermPoint[]): Promise<void> {
  if (points.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.term_points AS known (user_ref, definition_id, generation, term, bucket, count, sum, latest_at,
       latest_id, latest_holds)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::numeric[],
       $8::bigint[], $9::text[], $10::boolean[])
     ON CONFLICT (user_ref, definition_id, generation, term, bucket) DO UPDATE SET
       count = known.count + excluded.count,
       sum = known.sum + excluded.sum,
       (latest_at, latest_id, latest_holds) = (
         SELECT latest_at, latest_id, latest_holds
         FROM (VALUES (known.latest_at, known.latest_id, known.latest_holds),
                      (excluded.latest_at, excluded.latest_id, excluded.latest_holds))
           AS both_sides (latest_at, latest_id, latest_holds)
         ORDER BY latest_at DESC NULLS LAST, latest_id COLLATE "C" DESC LIMIT 1)`,
    [
      points.map(({ userRef }) => userRef),
      points.map(({ definitionId }) => definitionId),
      points.map(({ generation }) => generation),
      points.map(({ point }) => point.term),
      points.map(({ point }) => point.bucket),
      points.map(({ point }) => point.count),
      points.map(({ point }) => point.sum),
      points.map(({ point }) => point.latestAt),
      points.map(({ point }) => point.latestId),
      points.map(({ point }) => point.latestHolds),
    ],
  );
}

/** All points of the given states, by `stateKeyText`. */
export async function readTermPoints(tx: Queryable, keys: readonly StateKey[]): Promise<Map<string, TermPoint[]>> {
  const { rows } = await tx.query<TermPointRow>(
    `SELECT user_ref, definition_id, generation, term, bucket, count, sum, latest_at, latest_id, latest_holds
     FROM engagement.term_points
     WHERE (user_ref, definition_id, generation) IN (SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[]))`,
    [keys.map((key) => key.userRef), keys.map((key) => key.definitionId), keys.map((key) => key.generation)],
  );
  const points = new Map<string, TermPoint[]>();
  for (const row of rows) {
    const key = `${row.user_ref}/${row.definition_id}/${row.generation}`;
    const known = points.get(key);
    if (known) known.push(pointOf(row));
    else points.set(key, [pointOf(row)]);
  }
  return points;
}

interface TermPointRow {
  user_ref: number;
  definition_id: string;
  generation: number;
  term: number;
  bucket: number;
  count: number;
  sum: string;
  latest_at: number | null;
  latest_id: string | null;
  latest_holds: boolean | null;
}

function pointOf(row: TermPointRow): TermPoint {
  return {
    term: row.term,
    bucket: row.bucket,
    count: row.count,
    sum: row.sum,
    latestAt: row.latest_at,
    latestId: row.latest_id,
    latestHolds: row.latest_holds,
  };
}
