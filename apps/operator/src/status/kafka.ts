import { TopicRow, deadLetterTopicName } from '@podium/messages';
import { errorMessage } from '@podium/runtime/errors';
import { GroupPositions, Kafka } from '@podium/runtime/kafka';
import { GroupLag, readLag } from '../lag/read-lag';
import { ageText } from '../cli/output';
import { quietLogger } from '../cli/server-connections';
import { PartStatus, partStatus } from './part';

/** A group whose oldest record waits longer is behind; alerts have their own thresholds. */
const behindS = 60;

/**
 * Brokers, topics as the table of this release has them, each shared group, and dead letters. Groups are shown while a broker
 * is away, too; while topics are missing there is nothing to read. Throws when no broker answers.
 */
export async function kafkaStatuses(kafka: Kafka, rows: readonly TopicRow[]): Promise<PartStatus[]> {
  const { brokers, missing, wrong } = await compareTopics(kafka, rows);
  const topics = topicsStatus(`${brokers} ${brokers === 1 ? 'broker' : 'brokers'}`, rows, [...missing, ...wrong]);
  if (missing.length > 0) return [topics];
  return [
    topics,
    ...(await groupStatuses(kafka, rows)),
    await partStatus('dead letters', () => deadLetterStatus(kafka, rows)),
  ];
}

function topicsStatus(size: string, rows: readonly TopicRow[], problems: readonly string[]): PartStatus {
  return problems.length === 0
    ? { part: 'kafka', state: 'ok', detail: `${size}; ${rows.length} topics match this release` }
    : { part: 'kafka', state: 'attention', detail: `${size}; ${problems.join('; ')}` };
}

/** How many brokers there are, topics that are missing, and others with what is wrong with them. */
async function compareTopics(
  kafka: Kafka,
  rows: readonly TopicRow[],
): Promise<{ brokers: number; missing: string[]; wrong: string[] }> {
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
    return { brokers: brokers.length, missing, wrong };
  } finally {
    await admin.disconnect();
  }
}

/** Each shared group; a single part when their positions cannot be read. */
async function groupStatuses(kafka: Kafka, rows: readonly TopicRow[]): Promise<PartStatus[]> {
  try {
    const lags = await readLag(kafka, rows);
    const groups = [...new Set(rows.flatMap((row) => row.consumers))];
    return groups.map((group) =>
      groupStatus(
        group,
        lags.filter((lag) => lag.group === group),
      ),
    );
  } catch (error) {
    return [{ part: 'consumer groups', state: 'attention', detail: errorMessage(error) }];
  }
}

function groupStatus(group: string, lags: readonly GroupLag[]): PartStatus {
  // Of a partition without a leader nothing is known.
  if (lags.length === 0) return { part: group, state: 'attention', detail: 'no partition that it reads has a leader' };
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
