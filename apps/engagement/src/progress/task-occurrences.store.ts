import { Queryable } from '@podium/runtime/postgres';
import { StateKey, stateKeyText } from './term-points.store';

/** The number of a task's first occurrences that are settled for a user: awarded, or permanently refused. */
export interface SettledOccurrences extends StateKey {
  readonly settled: number;
}

/** The number of settled occurrences of each task, by `stateKeyText`; an absent entry means none. */
export async function readSettled(tx: Queryable, keys: readonly StateKey[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await tx.query<{ user_ref: number; definition_id: string; generation: number; settled: number }>(
    `SELECT user_ref, definition_id, generation, settled FROM engagement.task_occurrences
     WHERE (user_ref, definition_id, generation) IN (SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[]))`,
    [keys.map((key) => key.userRef), keys.map((key) => key.definitionId), keys.map((key) => key.generation)],
  );
  return new Map(
    rows.map((row) => [
      stateKeyText({ userRef: row.user_ref, definitionId: row.definition_id, generation: row.generation }),
      row.settled,
    ]),
  );
}

/** Raises the numbers of settled occurrences; the caller has locked the users. */
export async function writeSettled(tx: Queryable, changes: readonly SettledOccurrences[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.task_occurrences AS known (user_ref, definition_id, generation, settled)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[])
     ON CONFLICT (user_ref, definition_id, generation) DO UPDATE SET settled = greatest(known.settled, excluded.settled)`,
    [
      changes.map((change) => change.userRef),
      changes.map((change) => change.definitionId),
      changes.map((change) => change.generation),
      changes.map((change) => change.settled),
    ],
  );
}
