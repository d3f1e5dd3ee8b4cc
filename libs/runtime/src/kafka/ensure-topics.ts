import {
  TopicRow,
  compactionLagDays,
  deadLetterRetentionDays,
  redriveRetentionDays,
  tombstoneRetentionDays,
} from '@podium/messages';
import { Admin, ConfigResourceTypes, ITopicConfig } from 'kafkajs';
import { Kafka } from './create-kafka';
import { deadLetterTopic } from './dead-letters';
import { redriveTopic } from './redrive';

/** How safely the brokers keep records. */
export interface TopicSafety {
  replicationFactor: number;
  minInsyncReplicas: number;
}

/** A setting of an existing topic that is not as the table says. */
export interface TopicDifference {
  topic: string;
  setting: string;
  expected: string;
  actual: string;
}

/** What was created and what differs; nothing that exists is changed. */
export interface TopicsReport {
  created: string[];
  differences: TopicDifference[];
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Creates the topics of the rows and their consumers' dead-letter and redrive topics where missing, and compares the others. */
export async function ensureTopics(
  kafka: Pick<Kafka, 'admin'>,
  rows: readonly TopicRow[],
  safety: TopicSafety,
): Promise<TopicsReport> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const wanted = rows.flatMap((row) => wantedTopics(row, safety));
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await admin.createTopics({ topics: missing, waitForLeaders: true });
    const differences = await differencesOf(
      admin,
      wanted.filter(({ topic }) => existing.has(topic)),
    );
    return { created: missing.map(({ topic }) => topic), differences };
  } finally {
    await admin.disconnect();
  }
}

function wantedTopics(row: TopicRow, safety: TopicSafety): ITopicConfig[] {
  const source = wantedTopic(row.name, row.partitions, retentionSettings(row.retention), safety);
  const beside = row.consumers.flatMap((group) => [
    { ...deadLetterTopic(group, row), days: deadLetterRetentionDays },
    { ...redriveTopic(group, row), days: redriveRetentionDays },
  ]);
  return [
    source,
    ...beside.map(({ name, partitions, days }) =>
      wantedTopic(name, partitions, retentionSettings({ kind: 'days', days }), safety),
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

async function differencesOf(admin: Admin, wanted: readonly ITopicConfig[]): Promise<TopicDifference[]> {
  if (wanted.length === 0) return [];
  const names = wanted.map(({ topic }) => topic);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
    includeSynonyms: false,
  });
  const differences: TopicDifference[] = [];
  for (const { topic, numPartitions, replicationFactor, configEntries = [] } of wanted) {
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    const settings = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const pairs = [
      { setting: 'partitions', expected: String(numPartitions), actual: String(partitions.length) },
      { setting: 'replicas', expected: String(replicationFactor), actual: String(partitions[0]?.replicas.length) },
      ...configEntries.map(({ name, value }) => ({
        setting: name,
        expected: value,
        actual: String(settings.find(({ configName }) => configName === name)?.configValue),
      })),
    ];
    for (const pair of pairs) if (pair.actual !== pair.expected) differences.push({ topic, ...pair });
  }
  return differences;
}
