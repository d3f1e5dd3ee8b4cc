import { TopicRow, deadLetterTopicName } from '@podium/messages';
import { GroupPositions, Kafka } from '@podium/runtime/kafka';
import { GroupLag, readLag } from '../lag/read-lag';
import { ageText } from '../cli/output';
import { quietLogger } from '../cli/server-connections';
import { PartStatus, partStatus } from './part';

/** A group whose oldest record waits longer is behind; alerts have their own thresholds. */
const behindS = 60;

/** Brokers, topics as the table of this release has them, each shared group, and dead letters. */
export async function kafkaStatuses(kafka: Kafka, rows: readonly TopicRow[]): Promise<PartStatus[]> {
  const topics = await partStatus('kafka', () => topicsStatus(kafka, rows));
  if (topics.state === 'attention') return [topics];
  const lags = await readLag(kafka, rows);
  const groups = [...new Set(rows.flatMap((row) => row.consumers))];
  return [
    topics,
    ...groups.map((group) =>
      groupStatus(
        group,
        lags.filter((lag) => lag.group === group),
      ),
    ),
    await partStatus('dead letters', () => deadLetterStatus(kafka, rows)),
  ];
}

async function topicsStatus(kafka: Kafka, rows: readonly TopicRow[]): Promise<Omit<PartStatus, 'part'>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const { brokers } = await admin.describeCluster();
    const existing = new Set(await admin.listTopics());
    const missing = rows.filter(({ name }) => !existing.has(name)).map(({ name }) => `${name} is missing`);
    const { topics } = await admin.fetchTopicMetadata({
      topics: rows.map(({ name }) => name).filter((name) => existing.has(name)),
    });
    const wrong = topics.flatMap(({ name, partitions }) => {
      const wanted = rows.find((row) => row.name === name)?.partitions;
      const unsafe = partitions.filter(({ isr, replicas, leader }) => leader < 0 || isr.length < replicas.length);
      return [
        ...(partitions.length === wanted ? [] : [`${name} has ${partitions.length} partitions, not ${wanted}`]),
        ...(unsafe.length === 0 ? [] : [`${name} has ${unsafe.length} partitions that lack a replica or a leader`]),
      ];
    });
    const problems = [...missing, ...wrong];
    const size = `${brokers.length} ${brokers.length === 1 ? 'broker' : 'brokers'}`;
    return problems.length === 0
      ? { state: 'ok', detail: `${size}; ${rows.length} topics match this release` }
      : { state: 'attention', detail: `${size}; ${problems.join('; ')}` };
  } finally {
    await admin.disconnect();
  }
}

function groupStatus(group: string, lags: readonly GroupLag[]): PartStatus {
  const members = Math.max(0, ...lags.map((lag) => lag.members));
  const records = lags.reduce((total, lag) => total + lag.records, 0n);
  const seconds = Math.max(0, ...lags.map((lag) => lag.seconds));
  const behind = records === 0n ? 'no records wait' : `${records} records wait, the oldest for ${ageText(seconds)}`;
  return {
    part: group,
    state: members === 0 || seconds > behindS ? 'attention' : 'ok',
    detail: `${members === 0 ? 'stopped' : `${members} ${members === 1 ? 'member' : 'members'}`}; ${behind}`,
  };
}

async function deadLetterStatus(kafka: Kafka, rows: readonly TopicRow[]): Promise<Omit<PartStatus, 'part'>> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    let kept = 0n;
    for (const row of rows)
      for (const group of row.consumers)
        for (const { low, high } of await positions.bounds(deadLetterTopicName(group, row))) kept += high - low;
    return kept === 0n
      ? { state: 'ok', detail: 'none' }
      : { state: 'ok', detail: `${kept} stored; dlq list shows which are open` };
  } finally {
    await positions.close();
  }
}
