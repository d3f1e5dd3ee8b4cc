import { Queryable } from '@podium/runtime/postgres';
import { HistoryKey } from '../history/histories.store';

/** Makes the transaction read all from one moment and write nothing; to be called first in it. */
export async function beginSnapshot(tx: Queryable): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}

/** An event that is stored and that no history has yet. */
export interface UnmarkedEvent extends HistoryKey {
  readonly id: string;
}

/** The stored events of these keys that no history has yet: the next event of the user adds them. */
export async function readUnmarkedIds(tx: Queryable, keys: readonly HistoryKey[]): Promise<UnmarkedEvent[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<UnmarkedEvent>(
    `SELECT user_ref AS "userRef", name, event_id AS id FROM engagement.events
     WHERE NOT in_history AND (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    [keys.map(({ userRef }) => userRef), keys.map(({ name }) => name)],
  );
  return rows;
}
