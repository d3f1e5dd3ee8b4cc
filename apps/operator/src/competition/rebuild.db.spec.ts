import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { changeDefinitionOf, competitionKey, encodeRecord, topics } from '@podium/messages';
import { RecordProducer, createKafka } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { Client } from 'pg';
import { migrations, schema } from '../../../competition-read/src/migrations';
import { tablesOf } from '../../../competition-read/test/projection';

jest.setTimeout(120_000);

describe('npm run competition:rebuild', () => {
  let database: FreshDatabase;

  beforeAll(async () => (database = await freshDatabase({ schema, migrations })));
  afterAll(() => database.drop());

  it('builds the tables from the topic and makes them live', async () => {
    const id = freshName('matchmaking');
    const deleted = freshName('matchmaking');
    await publishMatchmakings([id, deleted]);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    // The deletion is in the topic no more.
    await client.query(`INSERT INTO ${tablesOf('a').documents} (kind, id, revision) VALUES ('matchmaking', $1, 2)`, [
      deleted,
    ]);
    const { code, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('The new tables are live') as string });
    expect(stderr).toContain('1 documents were newer in the former tables');
    const { rows: sets } = await client.query(`SELECT live FROM ${schema}.live_set`);
    const { rows } = await client.query(
      `SELECT id FROM ${tablesOf('b').documents} WHERE id = ANY($1) AND body IS NOT NULL`,
      [[id, deleted]],
    );
    await client.end();
    expect({ sets, rows }).toEqual({ sets: [{ live: 'b' }], rows: [{ id }] });
  });

  it('reports wrong usage and unreachable servers', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes') as string });
    expect(await run(['more'])).toMatchObject({ code: 2, stderr: expect.stringContaining('too many') as string });
    const nowhere = await run([], 'postgres://nobody@127.0.0.1:1/none');
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') as string });
    const withoutKafka = await run(['--brokers', '127.0.0.1:1']);
    const told = expect.stringContaining('No Kafka broker responds') as string;
    expect(withoutKafka).toMatchObject({ code: 1, stderr: told });
  });

  function run(
    args: string[] = [],
    databaseUrl = database.url,
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { ...process.env, DATABASE_URL: databaseUrl, KAFKA_BROKERS: localStack().kafkaBrokers.join(',') };
    const command = ['-r', '@swc-node/register', 'apps/operator/src/main.ts', 'competition', 'rebuild', ...args];
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        command,
        { cwd: path.resolve(__dirname, '../../../..'), env, timeout: 60_000 },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? NaN) : 0, stdout, stderr }),
      );
    });
  }
});

async function publishMatchmakings(ids: readonly string[]): Promise<void> {
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
  const topic = topics.competitionChanges;
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [topic] });
  await producer.start();
  await Promise.all(
    ids.map((id) => {
      const key = competitionKey('matchmaking', id);
      return producer.send({ topic, key, value: recordOf(id, key) }, { deadlineMs: Date.now() + 20_000 });
    }),
  );
  await producer.stop();
}

function recordOf(id: string, key: string): Buffer {
  const text = { icon: '', league_id: '', long_description: '', name: 'Ranked', region: 'EU', short_description: '' };
  return encodeRecord(changeDefinitionOf('matchmaking'), {
    id: `${key}:1`,
    revision: 1,
    occurred_at: 0,
    key,
    source: 'spec',
    data: { id, document: { ...text, game: 'cs2', id, queues: [] } },
  });
}
