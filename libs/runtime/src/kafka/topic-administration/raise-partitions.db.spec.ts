import { ConsumerGroup, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { AdminConfig } from 'kafkajs';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { deadLetterTopic } from '../dead-letters/dead-letters';
import { ensureTopics } from './ensure-topics';
import { raisePartitions } from './raise-partitions';
import { redriveTopic } from '../dead-letters/redrive';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('raise-spec') as ConsumerGroup;
const row: TopicRow = { ...topics.userEvents, name: freshName('raise'), partitions: 2, consumers: [group] };
const raised: TopicRow = { ...row, partitions: 4 };
const letters = deadLetterTopic(group, row).name;
const safety = { replicationFactor: 1, minInsyncReplicas: 1 };

describe('raisePartitions', () => {
  const admin = kafka.admin();
  const producer = kafka.producer();
  const raise = (to: TopicRow = raised, through = kafka) => raisePartitions(through, to, { logger, quietMs: 300 });
  const send = () => producer.send({ topic: row.name, messages: [{ key: 'k', value: 'v', partition: 0 }] });

  beforeAll(async () => {
    await Promise.all([admin.connect(), producer.connect()]);
    await ensureTopics(kafka, [row], safety);
    await send();
  });
  afterAll(async () => {
    await admin.deleteTopics({ topics: [row.name, letters, redriveTopic(group, row).name] });
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  });

  it('refuses while a group has records to read', async () => {
    await expect(raise()).rejects.toThrow(`${group} has 1 records`);
  });

  it('refuses while a producer writes', async () => {
    // Beyond the end, so that records written meanwhile count as read.
    await admin.setOffsets({ groupId: group, topic: row.name, partitions: [{ partition: 0, offset: '1000000' }] });
    // A record before each read of the ends, however long the reads are apart.
    const busy = Object.assign(Object.create(kafka) as typeof kafka, {
      ownClient: () => {
        const { client, cutOff } = kafka.ownClient();
        const admin = (config: AdminConfig) => {
          const own = client.admin(config);
          const fetchTopicOffsets = async (topic: string) => (await send()) && own.fetchTopicOffsets(topic);
          return { ...own, fetchTopicOffsets };
        };
        return { client: { admin }, cutOff };
      },
    });
    await expect(raise(raised, busy)).rejects.toThrow('is being written to');
  });

  it('refuses a compacted topic', async () => {
    await expect(raise({ ...raised, retention: { kind: 'compact' } })).rejects.toThrow('is compacted');
  });

  it('raises the topic and its dead letters, once, and never lowers', async () => {
    const topics = [row.name, letters].map((topic) => ({ topic, from: 2, to: 4 }));
    await expect(raise()).resolves.toEqual(topics);
    await expect(raise()).resolves.toEqual([]);
    await expect(ensureTopics(kafka, [raised], safety)).resolves.toEqual({
      created: [],
      enlarged: [],
      differences: [],
    });
    await expect(raise(row)).rejects.toThrow('cannot take any away');
  });
});
