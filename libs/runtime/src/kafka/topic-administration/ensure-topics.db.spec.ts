import { ConsumerGroup, TopicRow, topicMaxBytes, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { ConfigResourceTypes, ConfigSource } from 'kafkajs';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { deadLetterTopic } from '../dead-letters/dead-letters';
import { ensureTopics } from './ensure-topics';
import { redriveTopic } from '../dead-letters/redrive';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const group = freshName('topics-spec') as ConsumerGroup;
const row: TopicRow = { ...topics.links, name: freshName('topics'), partitions: 2, consumers: [group] };
const letters = deadLetterTopic(group, row).name;
const redriven = redriveTopic(group, row).name;
const safety = { replicationFactor: 1, minInsyncReplicas: 1 };
const asWanted = { created: [], enlarged: [], differences: [] };

describe('ensureTopics', () => {
  const admin = kafka.admin();

  beforeAll(() => admin.connect());

  afterAll(async () => {
    await admin.deleteTopics({ topics: [row.name, letters, redriven] });
    await admin.disconnect();
  });

  it('creates missing topics with their dead-letter and redrive topics, once', async () => {
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual({
      created: [row.name, letters, redriven],
      enlarged: [],
      differences: [],
    });
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual(asWanted);
  });

  it('raises the batch size of topics of an earlier release, and keeps all their other settings', async () => {
    const [own, ofSource] = [await settingsOf(letters), await settingsOf(row.name)];
    expect(ofSource).toMatchObject({ 'max.message.bytes': String(topicMaxBytes) });
    await set(row.name, { ...ofSource, 'max.message.bytes': '8192' });
    await set(letters, { ...own, 'segment.ms': '3600000', 'max.message.bytes': '1048588' });
    await set(redriven, { ...(await settingsOf(redriven)), 'max.message.bytes': '99000000' });
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual({ ...asWanted, enlarged: [row.name, letters] });
    expect(await settingsOf(row.name)).toEqual(ofSource);
    expect(await settingsOf(letters)).toEqual({ ...own, 'segment.ms': '3600000' });
    expect(await settingsOf(redriven)).toMatchObject({ 'max.message.bytes': '99000000' });
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual(asWanted);
  });

  it('reports differences and changes nothing', async () => {
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
    await expect(ensureTopics(kafka, [row], safety)).resolves.toEqual(asWanted);
  });

  /** The settings that are set on the topic itself. */
  async function settingsOf(topic: string): Promise<Record<string, string>> {
    const { resources } = await admin.describeConfigs({
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
      includeSynonyms: false,
    });
    const own = resources[0].configEntries.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG);
    return Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue]));
  }

  async function set(topic: string, settings: Record<string, string>): Promise<void> {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }],
    });
  }
});
