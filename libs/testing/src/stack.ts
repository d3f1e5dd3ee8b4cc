import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource, MigrationInterface } from 'typeorm';
import { dataSourceOptions } from '@podium/runtime/postgres';
import { keepTables } from '../../../tools/stack/keep-tables';

/** Addresses of the servers that a test runs against. */
export interface LocalStack {
  /** Postgres, as an administrator who may create databases; its database is migrated. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** `host:port` of each broker. */
  readonly kafkaBrokers: readonly string[];
}

/** The servers for this test run: those of `npm test` (`PODIUM_TEST_STACK`), else the running ones of this checkout. */
export function localStack(): LocalStack {
  const checkout = path.resolve(__dirname, '../../..');
  const candidates = process.env.PODIUM_TEST_STACK
    ? [process.env.PODIUM_TEST_STACK]
    : [path.join(checkout, '.stack/infra.json'), path.join(checkout, '.stack/stack.json')];
  const file = candidates.find((candidate) => fs.existsSync(candidate));
  if (!file)
    throw new Error('No Postgres, Redis and Kafka are running for this test: run "npm run stack" in another terminal.');
  const addresses = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    database_url: string;
    redis_url: string;
    kafka_brokers: string;
  };
  return {
    databaseUrl: addresses.database_url,
    redisUrl: addresses.redis_url,
    kafkaBrokers: addresses.kafka_brokers.split(','),
  };
}

/** A database for one test. */
export interface FreshDatabase {
  /** Its address, as the administrator. */
  readonly url: string;
  /** Drops it, ending the sessions that are still open. */
  drop(): Promise<void>;
}

/**
 * Creates a database for one spec file: empty, or with the tables of the apps whose schema and migrations are given (the
 * exports of an app's `migrations` folder). Call `drop()` in `afterAll`.
 */
export async function freshDatabase(...tables: readonly AppTables[]): Promise<FreshDatabase> {
  const admin = new URL(localStack().databaseUrl);
  admin.pathname = '/postgres';
  const name = freshName('test').replaceAll('-', '_');
  await execute(admin.href, `CREATE DATABASE ${name} TEMPLATE template0`);
  const own = new URL(admin);
  own.pathname = `/${name}`;
  const database = {
    url: own.href,
    drop: async () => {
      await keepTables(own.href);
      await execute(admin.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
  for (const each of tables) await migrate(own.href, each);
  return database;
}

/** The tables of one app. */
export interface AppTables {
  readonly schema: string;
  readonly migrations: (new () => MigrationInterface)[];
}

async function migrate(url: string, { schema, migrations }: AppTables): Promise<void> {
  await execute(url, `CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  const source = new DataSource(
    dataSourceOptions({ url, schema, entities: [], migrations, poolSize: 1, statementTimeoutMs: 0 }),
  );
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A unique name of lower-case letters, digits and hyphens, for topics, groups and key prefixes. */
export function freshName(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}${randomBytes(4).toString('hex')}`;
}
