import {
  TopicRow,
  compactionLagDays,
  deadLetterRetentionDays,
  letterTopicMaxBytes,
  redriveRetentionDays,
  tombstoneRetentionDays,
  topicMaxBytes,
} from '@podium/messages';
import { Admin, ConfigEntries, ConfigResourceTypes, ConfigSource, ITopicConfig } from 'kafkajs';
import { Kafka } from '../client/create-kafka';
import { deadLetterTopic } from '../dead-letters/dead-letters';
import { redriveTopic } from '../dead-letters/redrive';
import { createTopics } from './create-topics';

/** Durability of topics: replication. */
export interface TopicSafety {
  replicationFactor: number;
  minInsyncReplicas: number;
}

/** A setting of an existing topic that differs from the table. */
export interface TopicDifference {
  topic: string;
  setting: string;
  expected: string;
  actual: string;
}

/** Created topics, topics whose batch size was raised, and differences; nothing else of existing topics changes. */
export interface TopicsReport {
  created: string[];
  enlarged: string[];
  differences: TopicDifference[];
}

const dayMs = 24 * 60 * 60 * 1_000;

const largestBatch = 'max.message.bytes';

/**
 * Creates missing topics of the rows and their consumers' dead-letter and redrive topics, raises the batch size of topics of
 * an earlier release, and compares the other settings.
 */
export async function ensureTopics(
  kafka: Pick<Kafka, 'admin'>,
  rows: readonly TopicRow[],
  safety: TopicSafety,
): Promise<TopicsReport> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const wanted = wantedTopics(rows, safety);
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await createTopics(admin, missing);
    const found = wanted.filter(({ topic }) => existing.has(topic));
    const enlarged = await enlargeBatches(admin, found);
    const differences = await differencesOf(admin, found);
    return { created: missing.map(({ topic }) => topic), enlarged, differences };
  } finally {
    await admin.disconnect();
  }
}

/** The topics of the rows with their consumers' dead-letter and redrive topics, as they are created at an empty broker. */
export function wantedTopics(rows: readonly TopicRow[], safety: TopicSafety): ITopicConfig[] {
  return rows.flatMap((row) => topicsOf(row, safety));
}

function topicsOf(row: TopicRow, safety: TopicSafety): ITopicConfig[] {
  const sized = { ...retentionSettings(row.retention), [largestBatch]: String(topicMaxBytes) };
  const source = wantedTopic(row.name, row.partitions, sized, safety);
  const beside = row.consumers.flatMap((group) => [
    { ...deadLetterTopic(group, row), days: deadLetterRetentionDays },
    { ...redriveTopic(group, row), days: redriveRetentionDays },
  ]);
  return [
    source,
    ...beside.map(({ name, partitions, days }) =>
      wantedTopic(
        name,
        partitions,
        { ...retentionSettings({ kind: 'days', days }), [largestBatch]: String(letterTopicMaxBytes) },
        safety,
      ),
    ),
  ];
}

function wantedTopic(
  topic: string,
  numPartitions: number,
  settings: Record<string, string>,
  { replicationFactor, minInsyncReplicas }: TopicSafety,
): ITopicConfig {
  const all = { ...settings, 'min.insync.replicas': String(minInsyncReplicas) };
  const configEntries = Object.entries(all).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions, replicationFactor, configEntries };
}

function retentionSettings(retention: TopicRow['retention']): Record<string, string> {
  switch (retention.kind) {
    case 'compact':
      return {
        'cleanup.policy': 'compact',
        'delete.retention.ms': String(tombstoneRetentionDays * dayMs),
        'max.compaction.lag.ms': String(compactionLagDays * dayMs),
      };
    case 'days':
      return { 'cleanup.policy': 'delete', 'retention.ms': String(retention.days * dayMs) };
    case 'forever':
      return { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
  }
}

/** Raises batch sizes that are below the table; larger ones stay. */
async function enlargeBatches(admin: Admin, wanted: readonly ITopicConfig[]): Promise<string[]> {
  const settings = await settingsOf(admin, wanted);
  const resources = wanted.flatMap(({ topic, configEntries: entries = [] }) => {
    const now = settings.get(topic) ?? [];
    const bytes = Number(now.find(({ configName }) => configName === largestBatch)?.configValue);
    const enlarged = entries.filter(({ name, value }) => name === largestBatch && bytes < Number(value));
    if (enlarged.length === 0) return [];
    // The request replaces all settings of the topic itself.
    const own = now.filter(
      ({ configName, configSource }) => configSource === ConfigSource.TOPIC_CONFIG && configName !== largestBatch,
    );
    const configEntries = own.map(({ configName: name, configValue: value }) => ({ name, value }));
    return [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries: [...configEntries, ...enlarged] }];
  });
  if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources });
  return resources.map(({ name }) => name);
}

async function settingsOf(admin: Admin, wanted: readonly ITopicConfig[]): Promise<Map<string, ConfigEntries[]>> {
  if (wanted.length === 0) return new Map();
  const { resources } = await admin.describeConfigs({
    resources: wanted.map(({ topic: name }) => ({ type: ConfigResourceTypes.TOPIC, name })),
    includeSynonyms: false,
  });
  return new Map(resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
}

async function differencesOf(admin: Admin, wanted: readonly ITopicConfig[]): Promise<TopicDifference[]> {
  if (wanted.length === 0) return [];
  const names = wanted.map(({ topic }) => topic);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const found = await settingsOf(admin, wanted);
  const differences: TopicDifference[] = [];
  for (const { topic, numPartitions, replicationFactor, configEntries = [] } of wanted) {
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    const settings = found.get(topic) ?? [];
    const pairs = [
      { setting: 'partitions', expected: String(numPartitions), actual: String(partitions.length) },
      { setting: 'replicas', expected: String(replicationFactor), actual: String(partitions[0]?.replicas.length) },
      ...configEntries.map(({ name, value }) => ({
        setting: name,
        expected: value,
        actual: String(settings.find(({ configName }) => configName === name)?.configValue),
      })),
    ];
    for (const pair of pairs) if (!isAsWanted(pair)) differences.push({ topic, ...pair });
  }
  return differences;
}

/** A batch size above the table is allowed: an operator raises it to redrive larger records. */
function isAsWanted({ setting, expected, actual }: Omit<TopicDifference, 'topic'>): boolean {
  return actual === expected || (setting === largestBatch && Number(actual) > Number(expected));
}
