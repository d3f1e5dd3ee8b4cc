import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { until } from '../../../tools/seed/api';
import { withClient } from '../../../tools/stack/with-client';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

const bounds = { connectionTimeoutMillis: 10_000 };
const untilBackMs = 120_000;

/** Postgres answers, but refuses writes or log-ins, or lets statements wait for locks. */
export function postgresKinds(): FaultKind[] {
  return [
    {
      name: 'postgres-read-only',
      target: 'Postgres',
      breaks: 'for 8 to 15 s Postgres refuses every write (25006), as managed ones do whose disk is nearly full',
      begin: async (context, random) => {
        await setReadOnly(context, true);
        return { hit: 'Postgres', lastsMs: random.between(8_000, 15_000), end: () => setReadOnly(context, false) };
      },
    },
    {
      name: 'postgres-connections-exhausted',
      target: 'Postgres',
      breaks:
        'all sessions of services are ended, and for 8 to 15 s Postgres refuses new ones: too many connections (53300)',
      begin: async ({ servers: { postgres } }, random) => {
        const limit = (most: number) => (client: Client) =>
          client.query(`ALTER DATABASE podium CONNECTION LIMIT ${most}`);
        // The administrator has no limit.
        await withClient(postgres.url, limit(0), bounds);
        const ended = await withClient(postgres.url, endSessions, bounds);
        return {
          hit: `${ended} sessions`,
          lastsMs: random.between(8_000, 15_000),
          end: async () => void (await withClient(postgres.url, limit(-1), bounds)),
        };
      },
    },
    {
      name: 'postgres-tables-locked',
      target: 'Postgres',
      breaks: 'for 10 to 26 s all tables of one service are locked, also for readers: longer than statements may take',
      begin: async ({ servers: { postgres } }, random) => {
        const schema = random.pick(['linkage', 'ingestion', 'engagement', 'competition_read']);
        const release = await lockTables(postgres.url, schema);
        return { hit: schema, lastsMs: random.between(10_000, 26_000), end: release };
      },
    },
  ];
}

async function setReadOnly({ servers: { postgres } }: FaultContext, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off';
  await withClient(
    postgres.url,
    async (client) => {
      await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await client.query('SELECT pg_reload_conf()');
    },
    bounds,
  );
  await until(`transactions being read-only: ${value}`, untilBackMs, async () => {
    const { rows } = await withClient(postgres.url, (client) => client.query('SHOW transaction_read_only'), bounds);
    return (rows as { transaction_read_only: string }[])[0].transaction_read_only === value || undefined;
  });
}

/** Ends all sessions but this one; returns how many. */
async function endSessions(client: Client): Promise<number> {
  const { rows } = await client.query<{ ended: number }>(
    `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
     WHERE datname = current_database() AND usename <> current_user`,
  );
  return rows[0].ended;
}

/** Locks all tables of a schema as a rewrite of them does; the returned function unlocks them. */
async function lockTables(url: string, schema: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url, ...bounds });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename',
    [schema],
  );
  const names = rows.map(({ tablename }) => `${schema}.${escapeIdentifier(tablename)}`);
  // Transactions that already have one of the locks may end in a deadlock, for either side.
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('BEGIN');
      await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
      return () => client.end();
    } catch (error) {
      await client.query('ROLLBACK');
      if (attempt === 10) throw error;
      await sleep(100 * attempt);
    }
  }
}
