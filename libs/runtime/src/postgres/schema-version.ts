import { Queryable } from './queryable';

/** Services never migrate: they check that the migrations they were built with are applied, and stop with the mend. */
export async function requireMigrations(db: Queryable, schema: string, names: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ name: string }>(`SELECT name FROM ${schema}.migrations`);
  const applied = new Set(rows.map((row) => row.name));
  const missing = names.filter((name) => !applied.has(name));
  if (missing.length > 0)
    throw new Error(`schema ${schema} lacks ${missing.join(', ')}: run the migrations of this release first`);
}
