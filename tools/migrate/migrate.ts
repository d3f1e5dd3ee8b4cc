import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { pino } from 'pino';
import { DataSource, MigrationInterface } from 'typeorm';
import { HeldSession, Queryable, dataSourceOptions } from '../../libs/runtime/src/postgres';

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

const apps = ['linkage', 'ingestion', 'engagement', 'competition-read'] as const;

/** Any fixed number: whoever migrates this database holds it. */
const lockKey = 7_243_001;

/** A right or role that waits so long for a lock is given up, milliseconds; migrations themselves have no bound. */
const statementMs = 60_000;

/** Runs all migrations under one advisory lock, then grants each service's role the use of its own schema, without DDL. */
export async function migrate(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
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
    for (const app of apps) {
      const { schema, migrations, truncatedTables } = (await import(
        `../../apps/${app}/src/migrations`
      )) as AppMigrations;
      await prepareRole(session, schema, env[`MIGRATE_ROLE_PASSWORD_${app.toUpperCase().replaceAll('-', '_')}`]);
      const applied = await runMigrations(databaseUrl, schema, migrations);
      await grant(session, schema, truncatedTables ?? []);
      console.log(`${schema}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}`);
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

/** The command: brings the database that `DATABASE_URL` names to this release; a failure is the exit code 1. */
export async function migrateByEnvironment(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(help);
  process.exitCode = 1;
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL)
    return console.error('DATABASE_URL is required: the address of Postgres as the role that owns the schemas.');
  try {
    await migrate(DATABASE_URL, process.env);
    process.exitCode = 0;
  } catch (error) {
    console.error(`Migrations failed: ${(error as Error).message}`);
  }
}

if (require.main === module) void migrateByEnvironment();
