import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup, TopicRow, topics } from '@podium/messages';
import { createKafka, ensureTopics } from '@podium/runtime/kafka';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { Client } from 'pg';
import { pino } from 'pino';
import * as linkage from '../../../linkage/src/migrations';
import { runPodium } from '../podium';

interface Part {
  part: string;
  state: string;
  detail: string;
}

describe('podium status', () => {
  const brokers = localStack().kafkaBrokers.join(',');
  const kafka = createKafka({ brokers: brokers.split(','), clientId: 'spec', logger: pino({ level: 'silent' }) });
  const group = freshName('status') as ConsumerGroup;
  const row: TopicRow = { ...topics.userEvents, name: freshName('status-topic'), partitions: 2, consumers: [group] };
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await freshDatabase(linkage);
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await waitForCoordinator();
  }, 60_000);
  afterAll(async () => {
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: (await admin.listTopics()).filter((name) => name.includes(row.name)) });
    await admin.disconnect();
  });

  /** On a new broker the first look-up of a group creates the topic of commits, and look-ups are refused until it is there. */
  async function waitForCoordinator(): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    const isThere = () => admin.fetchOffsets({ groupId: group, topics: [row.name] }).then(Boolean, () => false);
    while (!(await isThere())) await sleep(100);
    await admin.disconnect();
  }

  async function status(env: Record<string, string>, rows: readonly TopicRow[] = [row]) {
    let out = '';
    let err = '';
    const code = await runPodium(['status', '--json'], {
      env,
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: rows,
    });
    const parts = JSON.parse(out) as Part[];
    const of = (name: string): Part | undefined => parts.find(({ part }) => part === name);
    return { code, err, of };
  }

  it('reports a stopped group, a schema that lacks migrations, and an unreachable edge', async () => {
    const { code, err, of } = await status({
      PODIUM_URL: 'http://127.0.0.1:1',
      KAFKA_BROKERS: brokers,
      DATABASE_URL: database.url,
    });
    expect(of('edge')).toMatchObject({
      state: 'attention',
      detail: expect.stringContaining('does not answer') as string,
    });
    expect(of('kafka')).toMatchObject({ state: 'ok', detail: '1 broker; 1 topics match this release' });
    expect(of(group)).toEqual({ part: group, state: 'attention', detail: 'stopped; no records wait' });
    expect(of('schema linkage')).toMatchObject({ state: 'ok' });
    expect(of('outbox linkage')).toMatchObject({ state: 'ok', detail: 'no records wait' });
    expect(of('schema engagement')).toMatchObject({ state: 'attention' });
    expect(code).toBe(1);
    expect(err).toContain('Needs attention: edge');
  });

  it('reports an outbox that is closed after a failover, although no records wait in it', async () => {
    const env = { KAFKA_BROKERS: brokers, DATABASE_URL: database.url };
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ timeline: string }>('SELECT timeline FROM linkage.outbox_timeline');
    await client.query(`UPDATE linkage.outbox_timeline SET timeline = 'of the former primary'`);
    const closed = await status(env);
    await client.query('UPDATE linkage.outbox_timeline SET timeline = $1', [rows[0].timeline]);
    await client.end();
    expect(closed.of('outbox linkage')).toEqual({
      part: 'outbox linkage',
      state: 'attention',
      detail: expect.stringMatching(/^closed .*failover status/) as string,
    });
    expect([closed.code, closed.err]).toEqual([1, expect.stringContaining('outbox linkage')]);
    expect((await status(env)).of('outbox linkage')).toMatchObject({ state: 'ok' });
  });

  it('says npm start when no local stack runs and no address is given', async () => {
    let err = '';
    const code = await runPodium(['status'], {
      env: { STACK_NAME: 'not-running' },
      readStdin: async () => '',
      out: () => undefined,
      err: (text) => (err += text),
    });
    expect([code, err]).toEqual([2, expect.stringContaining('No local stack is running: run npm start.')]);
  });

  it('compares topics with the table of the release', async () => {
    const missing: TopicRow = { ...row, name: `${row.name}-missing`, consumers: [] };
    const { of } = await status({ KAFKA_BROKERS: brokers }, [{ ...row, partitions: 4, consumers: [] }, missing]);
    expect(of('kafka')).toMatchObject({ state: 'attention' });
    expect(of('kafka')?.detail).toContain(`${row.name} has 2 partitions, not 4`);
    expect(of('kafka')?.detail).toContain(`${missing.name} is missing`);
  });

  it('shows groups also while a topic differs from the table', async () => {
    const { of } = await status({ KAFKA_BROKERS: brokers }, [{ ...row, partitions: 4 }]);
    expect(of('kafka')).toMatchObject({ state: 'attention' });
    expect(of(group)).toMatchObject({ state: 'attention', detail: 'stopped; no records wait' });
    expect(of('dead letters')).toMatchObject({ state: 'ok' });
  });

  it('shows why an instance is not ready', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(503).end(JSON.stringify({ status: 'no', reasons: ['key views have caught up'] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { of } = await status({ PODIUM_HEALTH: `gateway=${url}`, KAFKA_BROKERS: brokers });
    server.close();
    expect(of('gateway')).toEqual({
      part: 'gateway',
      state: 'attention',
      detail: 'not ready: key views have caught up',
    });
  });
});
