import { setTimeout as sleep } from 'node:timers/promises';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Client } from 'pg';
import { MigrationInterface, QueryRunner } from 'typeorm';
import { runMigrations } from './run-migrations';

class CreateTable1000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE app.things (id integer PRIMARY KEY)`);
  }
  async down(): Promise<void> {}
}

class AddNote1000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE app.others (id integer PRIMARY KEY)`);
    await runner.query(`ALTER TABLE app.things ADD COLUMN note text`);
  }
  async down(): Promise<void> {}
}

class IndexNotes1000000000003 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS app.things_by_note`);
    await runner.query(`CREATE INDEX CONCURRENTLY things_by_note ON app.things (note)`);
  }
  async down(): Promise<void> {}
}

const all = [CreateTable1000000000001, AddNote1000000000002, IndexNotes1000000000003];

describe('migrations of a table that others hold', () => {
  const open: Client[] = [];
  let database: FreshDatabase;

  beforeEach(async () => {
    database = await freshDatabase({ schema: 'app', migrations: [CreateTable1000000000001] });
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.end()));
    await database.drop();
  });

  async function session(): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    open.push(client);
    return client;
  }

  /** A transaction that has read the table and goes on. */
  async function reader(): Promise<Client> {
    const client = await session();
    await client.query('BEGIN');
    await client.query('SELECT * FROM app.things');
    return client;
  }

  const run = (onRetry: (cause: string) => void, giveUpAfterMs = 60_000) =>
    runMigrations({ url: database.url, schema: 'app', migrations: all }, { pauseMs: 200, giveUpAfterMs, onRetry });

  it('let others through between short waits, and are applied when the lock is free', async () => {
    const long = await reader();
    const retries: string[] = [];
    const running = run((cause) => {
      retries.push(cause);
      if (retries.length === 2) void long.query('COMMIT');
    });
    await sleep(1000);
    const user = await session();
    const beginMs = performance.now();
    // Queues behind the migration, which queues behind the long transaction.
    await user.query('SELECT * FROM app.things');
    expect(performance.now() - beginMs).toBeLessThan(4000);
    expect(await running).toEqual(['AddNote1000000000002', 'IndexNotes1000000000003']);
    expect(retries).toEqual(Array(2).fill('canceling statement due to lock timeout'));
    const { rows } = await user.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'app.things_by_note'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  }, 60_000);

  it.each([
    ['writes to the table', 'BEGIN', `INSERT INTO app.things (id) VALUES (7)`],
    ['reads one snapshot of any table', 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT * FROM app.others'],
  ])(
    'build an index once beside a long transaction that %s, and nobody waits meanwhile',
    async (_case, begin, use) => {
      await runMigrations(
        { url: database.url, schema: 'app', migrations: all.slice(0, 2) },
        { onRetry: () => undefined },
      );
      const long = await session();
      await long.query(begin);
      await long.query(use);
      const retries: string[] = [];
      const running = run((cause) => retries.push(cause));
      await sleep(500);
      const user = await session();
      const beginMs = performance.now();
      await user.query(`INSERT INTO app.things (id, note) VALUES (1, 'written meanwhile')`);
      expect(performance.now() - beginMs).toBeLessThan(1000);
      await sleep(4000);
      await long.query('COMMIT');
      expect([await running, retries]).toEqual([['IndexNotes1000000000003'], []]);
      const { rows } = await user.query(
        `SELECT indisvalid FROM pg_index WHERE indexrelid = 'app.things_by_note'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true }]);
    },
    60_000,
  );

  it('wait briefly again after an index', async () => {
    let held: Client | undefined;
    class AddTime1000000000004 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        held ??= await reader();
        await runner.query(`ALTER TABLE app.things ADD COLUMN time timestamptz`);
      }
      async down(): Promise<void> {}
    }
    const retries: string[] = [];
    const onRetry = (cause: string): void => {
      retries.push(cause);
      void held?.query('COMMIT');
    };
    const migrations = [...all, AddTime1000000000004];
    await runMigrations({ url: database.url, schema: 'app', migrations }, { pauseMs: 200, onRetry });
    expect(retries).toEqual(['canceling statement due to lock timeout']);
  }, 60_000);

  it('fail with the message of the server when the lock stays, and leave nothing of the attempt', async () => {
    await reader();
    const retries: string[] = [];
    await expect(run((cause) => retries.push(cause), 4000)).rejects.toThrow('canceling statement due to lock timeout');
    expect(retries).toHaveLength(1);
    const { rows } = await (await session()).query(`SELECT to_regclass('app.others') AS others`);
    expect(rows).toEqual([{ others: null }]);
  }, 60_000);

  it('fail at once for every other reason', async () => {
    await (await session()).query(`ALTER TABLE app.things ADD COLUMN note text`);
    await expect(run(() => fail('tried again'))).rejects.toThrow('column "note" of relation "things" already exists');
  });
});
