import { Client } from 'pg';
import { pino } from 'pino';
import { MigrationInterface } from 'typeorm';
import { errorMessage } from '@podium/runtime/errors';
import { HeldSession } from '@podium/runtime/postgres';
import * as competitionRead from '../../../competition-read/src/migrations';
import * as engagement from '../../../engagement/src/migrations';
import * as ingestion from '../../../ingestion/src/migrations';
import * as linkage from '../../../linkage/src/migrations';
import { CliEnvironment } from '../cli/cli-environment';
import { givenDatabase } from '../cli/server-addresses';
import { UsageError } from '../cli/usage-error';
import { runMigrations } from './run-migrations';
import { grantUse, prepareRole } from './schema-roles.store';
import { takeLock } from './take-lock';

/** What an app's migrations folder exports. */
interface AppMigrations {
  readonly schema: string;
  readonly migrations: (new () => MigrationInterface)[];
  /** Tables with their schema that the service itself truncates and vacuums. */
  readonly truncatedTables?: readonly string[];
}

const help = `Brings every service's schema to this release. It may be repeated; concurrent runs wait for each other.

  npm run migrate

Environment:
  DATABASE_URL                    Postgres as the role that owns the schemas (the only one with DDL)
  MIGRATE_ROLE_PASSWORD_<APP>     Password to set for a service's role podium_<app>; without it the role is unchanged

Exit codes: 0 up to date, 1 failed, 2 wrong usage`;

const apps: readonly AppMigrations[] = [linkage, ingestion, engagement, competitionRead];

/** How long a statement for roles and grants may take, milliseconds; those of migrations have no limit. */
const statementMs = 60_000;

/** Runs all migrations under one advisory lock, then grants each service's role the use of its own schema, without DDL. */
async function migrate(databaseUrl: string, { env, out }: CliEnvironment): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  let closed: Promise<void> | undefined;
  const session = await HeldSession.hold(client, {
    logger: pino({ level: 'fatal' }),
    answerTimeoutMs: statementMs,
    close: () => (closed = client.end()),
  });
  try {
    await takeLock(session, () => out('Another run of the migrations holds their lock: waiting for its end.\n'));
    for (const { schema, migrations, truncatedTables } of apps) {
      await prepareRole(session, schema, env[`MIGRATE_ROLE_PASSWORD_${schema.toUpperCase()}`]);
      const applied = await runMigrations(
        { url: databaseUrl, schema, migrations },
        { onRetry: (cause) => out(`${schema}: ${cause}; trying again\n`) },
      );
      await grantUse(session, schema, truncatedTables ?? []);
      out(`${schema}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`);
    }
  } finally {
    session.release();
    await closed;
  }
}

/** `migrate`: brings the database at `DATABASE_URL` to this release; exit code 1 when it fails, 2 for wrong usage. */
export async function migrateCommand(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { env, out, err } = environment;
  if (args.includes('--help') || args.includes('-h')) {
    out(`${help}\n`);
    return 0;
  }
  // Something like --dry-run must not change the schemas.
  if (args.length > 0) {
    err(`migrate takes no arguments, but got ${args.join(' ')}: nothing was changed (--help shows the settings)\n`);
    return 2;
  }
  try {
    const url = givenDatabase(env);
    if (!url)
      throw new UsageError('DATABASE_URL is required: the address of Postgres as the role that owns the schemas.');
    await migrate(url, environment);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    err(`${isUsage ? '' : 'Migrations failed: '}${errorMessage(error)}\n`);
    return isUsage ? 2 : 1;
  }
}
