import { ConsumerGroup, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { createKafka } from './create-kafka';
import { deadLetterTopic } from './dead-letters';
import { ensureTopics } from './ensure-topics';
import { redriveTopic } from './redrive';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('topics-spec') as ConsumerGroup;
const row: TopicRow = { ...topics.links, name: freshName('topics'), partitions: 2, consumers: [group] };
const letters = deadLetterTopic(group, row).name;
const redriven = redriveTopic(group, row).name;
const safety = { replicationFactor: 1, minInsyncReplicas: 1 };

describe('ensureTopics', () => {
  afterAll(async () => {
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name, letters, redriven] });
    await admin.disconnect();
  });

  it('creates what is missing with its dead letters and what is redriven, once', async () => {
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual({
      created: [row.name, letters, redriven],
      differences: [],
    });
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual({ created: [], differences: [] });
  });

  it('reports what differs and changes nothing', async () => {
    const other: TopicRow = { ...row, partitions: 4, retention: { kind: 'days', days: 7 } };
    const { created, differences } = await ensureTopics(kafka, [other], safety);
    expect(created).toEqual([]);
    expect(differences).toEqual(
      expect.arrayContaining([
        { topic: row.name, setting: 'partitions', expected: '4', actual: '2' },
        { topic: row.name, setting: 'cleanup.policy', expected: 'delete', actual: 'compact' },
        { topic: letters, setting: 'partitions', expected: '4', actual: '2' },
      ]),
    );
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual({ created: [], differences: [] });
  });
});
