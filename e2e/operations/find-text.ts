import { Client } from 'pg';

/** The tables of all services with rows that contain one of the texts in any column: `schema.table` and the count. */
export async function tablesWith(client: Client, texts: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) AS count FROM ${name} AS each
       WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS text WHERE position(text IN each::text) > 0)`,
      [texts],
    );
    if (Number(rows[0].count) > 0) found[name] = Number(rows[0].count);
  }
  return found;
}
