import { randomBytes } from 'node:crypto';
import { TopicRow, topics } from '@podium/messages';
import { createKafka, ensureTopics } from '@podium/runtime/kafka';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { pino } from 'pino';
import { Pool } from 'pg';
import * as engagement from '../../../engagement/src/migrations';
import * as ingestion from '../../../ingestion/src/migrations';
import * as linkage from '../../../linkage/src/migrations';
import { StackFolders, openFolders, removeStack } from '../../../../tools/stack/folders';
import { KafkaCluster } from '../../../../tools/stack/kafka';
import { freePorts } from '../../../../tools/stack/ports';
import { runPodium } from '../podium';

const rows = Object.values<TopicRow>(topics).map((row) => ({ ...row, partitions: 1 }));

describe('a topic of events that was created again', () => {
  let folders: StackFolders;
  let cluster: KafkaCluster;
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    folders = openFolders(`new-events-${randomBytes(4).toString('hex')}`);
    cluster = await KafkaCluster.open(folders, freePorts, 1);
    await cluster.start();
    const logger = pino({ level: 'silent' });
    const kafka = createKafka({ brokers: [cluster.addresses], clientId: 'spec', logger });
    await ensureTopics(kafka, rows, { replicationFactor: 1, minInsyncReplicas: 1 });
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: topics.userEvents.name, messages: ['a', 'b', 'c'].map((value) => ({ value })) });
    await producer.disconnect();
    database = await freshDatabase(linkage, ingestion, engagement);
    pool = new Pool({ connectionString: database.url });
  }, 300_000);

  afterAll(async () => {
    await pool?.end();
    await database?.drop();
    await cluster?.stop();
    removeStack(folders);
  }, 60_000);

  it('is refused by a restore with positions behind its end, which names the option', async () => {
    await wasReadUpTo(200);
    expect(await podium('restore', 'run')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/was read up to 200 and ends at 3: .*--events-topic-is-new/) as string,
    });
    expect(await position()).toBe(200);
  });

  it.each([200, 2])(
    'is read from its beginning with the option, from a backup that was read up to %i',
    async (read) => {
      await wasReadUpTo(read);
      const before = await generation();
      const { code, err, out } = await podium('restore', 'run', '--events-topic-is-new', '--json');
      expect([code, err, code === 0 && JSON.parse(out)]).toEqual([
        0,
        '',
        expect.objectContaining({
          engagement: expect.objectContaining({ events_to_read: 3, events_gone: 0 }) as object,
        }),
      ]);
      expect(await position()).toBe(0);
      expect(await generation()).not.toBe(before);
    },
    60_000,
  );

  it('is read from its beginning without a restore by a replay from before it was created', async () => {
    await wasReadUpTo(200);
    const before = await generation();
    expect(await podium('replay', 'engagement', '--from-time', '2026-01-31T11:00:00Z')).toMatchObject({ code: 0 });
    expect(await podium('restore', 'marks')).toMatchObject({ code: 0 });
    expect(await position()).toBe(0);
    expect(await generation()).not.toBe(before);
  }, 60_000);

  async function wasReadUpTo(offset: number): Promise<void> {
    await pool.query('TRUNCATE engagement.replay_partitions, engagement.replays, engagement.positions');
    await pool.query('INSERT INTO engagement.positions (topic, partition, next_offset) VALUES ($1, 0, $2)', [
      ...[topics.userEvents.name, offset],
    ]);
  }

  async function position(): Promise<number> {
    const { rows: found } = await pool.query<{ next_offset: string }>(
      'SELECT next_offset::text FROM engagement.positions WHERE topic = $1',
      [topics.userEvents.name],
    );
    return Number(found[0].next_offset);
  }

  async function generation(): Promise<string | undefined> {
    const { rows: found } = await pool.query<{ generation: string }>(
      'SELECT generation FROM ingestion.mark_generation',
    );
    return found.at(0)?.generation;
  }

  async function podium(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const seen = { out: '', err: '' };
    const code = await runPodium(args, {
      env: { KAFKA_BROKERS: cluster.addresses, DATABASE_URL: database.url },
      readStdin: async () => '',
      out: (text) => void (seen.out += text),
      err: (text) => void (seen.err += text),
      topics: rows,
    });
    return { code, ...seen };
  }
});
