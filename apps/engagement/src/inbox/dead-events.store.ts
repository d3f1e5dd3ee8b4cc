import { Queryable } from '@podium/runtime/postgres';

/** Remembers events that became dead letters, by the hex of their digest; a repeat changes nothing. */
export async function insertDeadEvents(tx: Queryable, digests: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.dead_events (digest)
     SELECT DISTINCT digest FROM unnest($1::uuid[]) AS given (digest) ORDER BY digest
     ON CONFLICT DO NOTHING`,
    [digests],
  );
}
