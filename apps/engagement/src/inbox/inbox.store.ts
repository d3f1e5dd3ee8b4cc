import { Queryable } from '@podium/runtime/postgres';

/**
 * Marks events as applied and returns the new ones, by the hex of their digest. Digests are inserted in order, so that two
 * instances with the same events wait for each other instead of deadlocking.
 */
export async function insertIntoInbox(tx: Queryable, digests: readonly string[]): Promise<Set<string>> {
  const sorted = [...digests].sort();
  const { rows } = await tx.query<{ digest: string }>(
    `INSERT INTO engagement.inbox (digest)
     SELECT digest FROM unnest($1::uuid[]) AS given (digest) ORDER BY digest
     ON CONFLICT DO NOTHING
     RETURNING replace(digest::text, '-', '') AS digest`,
    [sorted],
  );
  return new Set(rows.map((row) => row.digest));
}

/** About how many events the inbox holds, from the planner's statistics: exact enough to watch its size grow. */
export async function estimateInboxRows(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ rows: string | null }>(
    `SELECT sum(greatest(relation.reltuples, 0))::bigint::text AS rows
     FROM pg_inherits JOIN pg_class AS relation ON relation.oid = pg_inherits.inhrelid
     WHERE pg_inherits.inhparent = 'engagement.inbox'::regclass`,
  );
  return Number(rows[0]?.rows ?? 0);
}
