import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../errors';
import { Logger } from '../log';
import { isPostgresAway, isTlsFailure } from './is-postgres-away';
import { Queryable } from './queryable';

/** The schema or its table of migrations is missing, or this role may not read it: it was never migrated here. */
const notMigrated = new Set(['42P01', '3F000', '42501']);

/** A schema and the migration classes that a release needs in it. */
export interface AppliedSchema {
  readonly schema: string;
  readonly migrations: readonly { readonly name: string }[];
}

/** Pause between attempts to reach Postgres at the start. */
const pauseMs = 500;

/**
 * Services never migrate: they check that their release's migrations are applied, and stop with an error that says what to run.
 * While Postgres does not answer they wait: pods that end are started again with growing pauses, which would go on when it is back.
 */
export async function requireMigrations(
  db: Queryable,
  { schema, migrations }: AppliedSchema,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const applied = new Set(await onceReachable(() => appliedMigrations(db, schema), logger));
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

/** Repeats the work while Postgres is away; tells each cause once. Rejects with every other error. */
async function onceReachable<T>(work: () => Promise<T>, logger: Pick<Logger, 'warn'>): Promise<T> {
  for (let told = ''; ; await sleep(pauseMs))
    try {
      return await work();
    } catch (error) {
      if (!isPostgresAway(error) || isRefused(error)) throw error;
      const cause = errorMessage(error);
      if (cause !== told) logger.warn({ cause }, 'Postgres does not answer; the start waits for it');
      told = cause;
    }
}

/** A log-in or a database that the server refuses, or a failed TLS handshake: a further start reads the address and its files again. */
function isRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && (/^(28|3D)/.test(code) || isTlsFailure(code));
}
