import { Queryable } from '@podium/runtime/postgres';

/** Names of a schema's applied migrations, oldest first. */
export async function appliedMigrations(db: Queryable, schema: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`SELECT name FROM "${schema}".migrations ORDER BY id`);
  return rows.map(({ name }) => name);
}

/** How many records wait in a schema's outbox (at most 100,000 are counted), and for how long the oldest. */
export async function outboxBacklog(db: Queryable, schema: string): Promise<{ records: number; seconds: number }> {
  const { rows } = await db.query<{ records: number; seconds: number }>(
    `SELECT count(*) AS records, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
     FROM (SELECT created_at FROM "${schema}".outbox ORDER BY id LIMIT 100000) AS waiting`,
  );
  return rows[0];
}
