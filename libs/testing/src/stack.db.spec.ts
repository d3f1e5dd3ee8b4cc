import Redis from 'ioredis';
import { createTopics } from '@podium/runtime/kafka';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { freshDatabase, freshName, localStack } from './stack';

describe('the local stack', () => {
  it('creates a database that no longer exists after its drop', async () => {
    const database = await freshDatabase();
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    expect(
      (await client.query('SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = $1', ['public'])).rows,
    ).toEqual([{ tables: 0 }]);
    await database.drop();
    const again = new Client({ connectionString: database.url });
    await expect(again.connect()).rejects.toMatchObject({ code: '3D000' });
  });

  it('sorts and classifies letters the same on every machine', async () => {
    const database = await freshDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE EXTENSION pg_trgm');
    await client.query('CREATE EXTENSION btree_gin');
    const { rows } = await client.query(
      `SELECT lower('ÉÑ') AS lower, show_trgm('éñ') AS trigrams, 'Z' < 'a' AS sorted`,
    );
    expect(rows[0]).toMatchObject({ lower: 'éñ', sorted: true });
    expect((rows[0] as { trigrams: string[] }).trigrams).toHaveLength(3);
    await client.end();
    await database.drop();
  });

  it('responds over Redis and Kafka', async () => {
    const redis = new Redis(localStack().redisUrl);
    await expect(redis.ping()).resolves.toBe('PONG');
    await redis.quit();

    const kafka = new Kafka({ brokers: [...localStack().kafkaBrokers], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    const topic = freshName('stack-spec');
    await createTopics(admin, [{ topic, numPartitions: 1 }]);
    await expect(admin.fetchTopicOffsets(topic)).resolves.toMatchObject([{ high: '0' }]);
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });
});
