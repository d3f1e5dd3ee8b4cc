import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, deadLetterTopicName } from '@podium/messages';
import { Logger } from 'pino';
import { Kafka } from '../client/create-kafka';
import { GroupPositions } from '../positions/group-positions';

/** The topic must not get more partitions now; the message says why and what to do. */
export class PartitionsNotRaisedError extends Error {}

/** A topic whose count of partitions was raised. */
export interface RaisedTopic {
  readonly topic: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Gives a topic, and the dead-letter topics of its groups, as many partitions as the row says. Keys then move to other
 * partitions. So it refuses while a group has not read everything or a producer still writes, and always for a compacted
 * topic: the former value of a key would stay in its former partition permanently.
 */
export async function raisePartitions(
  kafka: Kafka,
  row: TopicRow,
  options: { logger: Logger; /** How long the topic must be without writes, milliseconds. */ quietMs?: number },
): Promise<RaisedTopic[]> {
  if (row.retention.kind === 'compact')
    throw new PartitionsNotRaisedError(
      `${row.name} is compacted: former values would stay in their former partitions. Re-create it (docs/operations/scale.md).`,
    );
  const positions = new GroupPositions(kafka, options.logger);
  const admin = kafka.admin();
  await admin.connect();
  try {
    await requireRead(positions, row);
    await requireQuiet(positions, row, options.quietMs ?? 3_000);
    const raised: RaisedTopic[] = [];
    for (const topic of [row.name, ...row.consumers.map((group) => deadLetterTopicName(group, row))]) {
      const from = (await positions.bounds(topic)).length;
      if (from > row.partitions)
        throw new PartitionsNotRaisedError(`${topic} has ${from} partitions: Kafka cannot take any away.`);
      if (from < row.partitions) raised.push({ topic, from, to: row.partitions });
    }
    if (raised.length > 0) {
      await admin.createPartitions({ topicPartitions: raised.map(({ topic, to }) => ({ topic, count: to })) });
      for (const { topic, to } of raised) await untilLed(positions, topic, to);
    }
    return raised;
  } finally {
    await admin.disconnect();
    await positions.close();
  }
}

/** New partitions get leaders a moment later; until then they cannot be written to. */
async function untilLed(positions: GroupPositions, topic: string, partitions: number): Promise<void> {
  for (let attempt = 1; attempt <= 50; attempt++) {
    const ends = await positions.ends(topic).catch(() => []);
    if (ends.length >= partitions) return;
    await sleep(200);
  }
  throw new Error(`the new partitions of ${topic} have no leader yet: check the brokers before starting producers`);
}

async function requireRead(positions: GroupPositions, row: TopicRow): Promise<void> {
  const bounds = await positions.bounds(row.name);
  for (const group of row.consumers) {
    const committed = await positions.committed(group, row.name);
    const waiting = bounds.reduce((total, { low, high }, partition) => {
      const next = committed[partition] ?? -1n;
      return total + (high - (next > low ? next : low));
    }, 0n);
    if (waiting > 0n)
      throw new PartitionsNotRaisedError(
        `${group} has ${waiting} records of ${row.name} to read: stop the producers, leave the group running, and try again.`,
      );
  }
}

async function requireQuiet(positions: GroupPositions, row: TopicRow, quietMs: number): Promise<void> {
  const before = await positions.ends(row.name);
  await sleep(quietMs);
  const after = await positions.ends(row.name);
  if (after.some((end, partition) => end !== before[partition]))
    throw new PartitionsNotRaisedError(`${row.name} is being written to: stop its producers (${row.owner}) first.`);
}
