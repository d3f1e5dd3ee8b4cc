import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { pino } from 'pino';
import { DataSource, MigrationInterface } from 'typeorm';
import { errorMessage } from '@podium/runtime/errors';
import { HeldSession, Queryable, dataSourceOptions } from '@podium/runtime/postgres';
import * as competitionRead from '../../../competition-read/src/migrations';
import * as engagement from '../../../engagement/src/migrations';
import * as ingestion from '../../../ingestion/src/migrations';
import * as linkage from '../../../linkage/src/migrations';
import { CliEnvironment } from '../cli/cli-environment';

/** What an app's migrations folder exports. */
interface AppMigrations {
  readonly schema: string;
  readonly migrations: (new () => MigrationInterface)[];
  /** Tables with their schema that the service itself empties and vacuums. */
  readonly truncatedTables?: readonly string[];
}

const help = `Brings every service's schema to this release. Repeatable; several at once wait for each other.

  npm run migrate

Environment:
  DATABASE_URL                    Postgres as the role that owns the schemas (the only one with DDL)
  MIGRATE_ROLE_PASSWORD_<APP>     Password to set for a service's role podium_<app>; without it the role is left as it is`;

const apps: readonly AppMigrations[] = [linkage, ingestion, engagement, competitionRead];

/** Any fixed number: whoever migrates this database holds it. */
const lockKey = 7_243_001;

/** A right or role that waits so long for a lock is given up, milliseconds; migrations themselves have no bound. */
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
    await takeLock(session);
    for (const { schema, migrations, truncatedTables } of apps) {
      await prepareRole(session, schema, env[`MIGRATE_ROLE_PASSWORD_${schema.toUpperCase()}`]);
      const applied = await runMigrations(databaseUrl, schema, migrations);
      await grant(session, schema, truncatedTables ?? []);
      out(`${schema}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`);
    }
  } finally {
    session.release();
    await closed;
  }
}

/** Asks again and again: who waits inside a statement would for ever hold up an index that is built concurrently. */
async function takeLock(session: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockKey]);
    if (rows[0].taken) return;
    await sleep(200);
  }
}

async function prepareRole(session: Queryable, schema: string, password: string | undefined): Promise<void> {
  const role = escapeIdentifier(`podium_${schema}`);
  const { rowCount } = await session.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [`podium_${schema}`]);
  if (rowCount === 0) await session.query(`CREATE ROLE ${role} LOGIN`);
  if (password !== undefined) await session.query(`ALTER ROLE ${role} PASSWORD ${escapeLiteral(password)}`);
  await session.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)}`);
}

async function runMigrations(url: string, schema: string, migrations: AppMigrations['migrations']): Promise<string[]> {
  const source = new DataSource(
    dataSourceOptions({ url, schema, entities: [], migrations, poolSize: 1, statementTimeoutMs: 0 }),
  );
  await source.initialize();
  try {
    // A statement of a process that was killed must not go on behind the back of the next one, which has the lock by then.
    await source.query(`SET client_connection_check_interval = '1s'`);
    return (await source.runMigrations()).map((migration) => migration.name);
  } finally {
    await source.destroy();
  }
}

async function grant(session: Queryable, schema: string, truncatedTables: readonly string[]): Promise<void> {
  const role = escapeIdentifier(`podium_${schema}`);
  const name = escapeIdentifier(schema);
  await session.query(`GRANT USAGE ON SCHEMA ${name} TO ${role}`);
  await session.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${role}`);
  await session.query(`REVOKE INSERT, UPDATE, DELETE ON ${name}.migrations FROM ${role}`);
  await session.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${name} TO ${role}`);
  if (truncatedTables.length > 0)
    await session.query(`GRANT TRUNCATE, MAINTAIN ON ${truncatedTables.join(', ')} TO ${role}`);
}

/** `migrate`: brings the database that `DATABASE_URL` names to this release; exit code 1 when it fails. */
export async function migrateCommand(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { env, out, err } = environment;
  if (args.includes('--help') || args.includes('-h')) {
    out(`${help}\n`);
    return 0;
  }
  if (!env.DATABASE_URL) {
    err('DATABASE_URL is required: the address of Postgres as the role that owns the schemas.\n');
    return 1;
  }
  try {
    await migrate(env.DATABASE_URL, environment);
    return 0;
  } catch (error) {
    err(`Migrations failed: ${errorMessage(error)}\n`);
    return 1;
  }
}
