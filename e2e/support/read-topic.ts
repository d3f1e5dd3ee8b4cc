import { Kafka, logLevel } from 'kafkajs';
import { SeenRecord, TopicReader } from './topic-reader';

/** A plain Kafka client, independent of Podium's code. */
export function stockClient(brokers: string): Kafka {
  return new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry: { retries: 30 } });
}

/** All current records of topics, without tombstones. Rejects when no further one arrives for `timeoutMs`. */
export async function readTopics(brokers: string, topics: string[], timeoutMs = 60_000): Promise<SeenRecord[]> {
  return readTopicsThen(brokers, topics, timeoutMs, ({ records }) => [...records]);
}

/** The headers of all current records of topics, including tombstones. Rejects as `readTopics` does. */
export async function readHeaders(
  brokers: string,
  topics: string[],
  timeoutMs = 60_000,
): Promise<Readonly<Record<string, string>>[]> {
  return readTopicsThen(brokers, topics, timeoutMs, ({ records, tombstoneHeaders }) => [
    ...records.map(({ headers }) => headers),
    ...tombstoneHeaders,
  ]);
}

async function readTopicsThen<T>(
  brokers: string,
  topics: string[],
  timeoutMs: number,
  then: (reader: TopicReader) => T,
): Promise<T> {
  const total = (await endsOf(brokers, topics)).reduce((sum, { records }) => sum + records, 0);
  const reader = await TopicReader.start(brokers, topics);
  try {
    const countOf = (): number => reader.records.length + reader.tombstones.length;
    for (let [count, sinceMs] = [0, Date.now()]; count < total;) {
      if (countOf() > count) [count, sinceMs] = [countOf(), Date.now()];
      if (Date.now() > sinceMs + timeoutMs)
        throw new Error(`${count} of ${total} records of ${topics.join(', ')}, and no further one in ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return then(reader);
  } finally {
    await reader.stop();
  }
}

/** The end offset of a partition. */
export interface PartitionEnd {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
  readonly records: number;
}

/** The end offsets of topics' partitions; `records` is exact only for topics without compaction gaps. */
export async function endsOf(brokers: string, topics: readonly string[]): Promise<PartitionEnd[]> {
  const admin = stockClient(brokers).admin();
  await admin.connect();
  try {
    const ends: PartitionEnd[] = [];
    for (const topic of topics)
      for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
        ends.push({ topic, partition, nextOffset: Number(high), records: Number(high) - Number(low) });
    return ends;
  } finally {
    await admin.disconnect();
  }
}
