import Redis from 'ioredis';
import { createTopics } from '@podium/runtime/kafka';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { openFolders, removeStack } from './folders';
import { Infrastructure } from './infrastructure';
import { freePorts } from './ports';
import { Progress } from './progress';

/** Servers of this spec's own: it kills them. */
describe('a killed server restarts on the same port with the same data', () => {
  const folders = openFolders(`spec-${Date.now().toString(36)}`);
  let infrastructure: Infrastructure;
  const crashes: string[] = [];

  beforeAll(async () => {
    const progress = new Progress();
    progress.close();
    // Servers named by the environment must not be killed.
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS']) delete process.env[name];
    infrastructure = await Infrastructure.start({
      folders,
      ports: freePorts,
      progress,
      onCrash: (failure) => crashes.push(failure.message),
    });
  }, 120_000);

  afterAll(async () => {
    await infrastructure?.stop();
    removeStack(folders);
  }, 60_000);

  it('Postgres', async () => {
    const { postgres } = infrastructure;
    const query = async (text: string): Promise<unknown[]> => {
      const client = new Client({ connectionString: postgres?.url });
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    };
    await query('CREATE TABLE kept (value int); INSERT INTO kept VALUES (7)');
    await postgres?.kill();
    expect(postgres?.pid).toBeUndefined();
    await postgres?.restart();
    await expect(query('SELECT value FROM kept')).resolves.toEqual([{ value: 7 }]);
  }, 60_000);

  it('Redis', async () => {
    const { redis } = infrastructure;
    const client = new Redis(redis?.url ?? '');
    client.on('error', () => undefined);
    await client.set('kept', '7');
    await redis?.stop();
    await redis?.restart();
    await expect(client.get('kept')).resolves.toBe('7');
    await redis?.kill();
    await redis?.restart();
    await expect(client.get('kept')).resolves.toBe('7');
    client.disconnect();
  }, 60_000);

  it('Kafka', async () => {
    const { kafka } = infrastructure;
    const client = new Kafka({ brokers: kafka?.addresses.split(',') ?? [], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    const producer = client.producer();
    await Promise.all([admin.connect(), producer.connect()]);
    await createTopics(admin, [{ topic: 'kept', numPartitions: 1 }]);
    await producer.send({ topic: 'kept', messages: [{ value: '7' }], acks: -1 });
    await Promise.all([admin.disconnect(), producer.disconnect()]);
    await kafka?.kill();
    await kafka?.restart();
    await admin.connect();
    await expect(admin.fetchTopicOffsets('kept')).resolves.toMatchObject([{ high: '1' }]);
    await admin.disconnect();
  }, 120_000);

  it('a kill by a test is not reported as a crash', () => {
    expect(crashes).toEqual([]);
  });
});
