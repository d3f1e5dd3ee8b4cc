import { Queryable } from './queryable';

/** The schema or its table of migrations is missing, or this role may not read it: it was never migrated here. */
const notMigrated = new Set(['42P01', '3F000', '42501']);

/** A schema and the migration classes that a release needs in it. */
export interface AppliedSchema {
  readonly schema: string;
  readonly migrations: readonly { readonly name: string }[];
}

/** Services never migrate: they check that their release's migrations are applied, and stop with an error that says what to run. */
export async function requireMigrations(db: Queryable, { schema, migrations }: AppliedSchema): Promise<void> {
  const applied = new Set(await appliedMigrations(db, schema));
  const missing = migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  if (missing.length > 0)
    throw new Error(
      `schema ${schema} lacks ${missing.join(', ')}: run the migrations of this release first (the Job migrations-<tag> in Kubernetes, npm run migrate elsewhere)`,
    );
}

async function appliedMigrations(db: Queryable, schema: string): Promise<string[]> {
  try {
    const { rows } = await db.query<{ name: string }>(`SELECT name FROM ${schema}.migrations`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (notMigrated.has((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
