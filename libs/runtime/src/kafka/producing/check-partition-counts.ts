import { Kafka } from '../client/create-kafka';
import { NotRetriableError } from '../client/keep-trying';
import { ProducerTopic } from './outgoing-record';

/** Rejects when a topic's number of partitions differs from its row: keys would go to other partitions. */
export async function checkPartitionCounts(kafka: Pick<Kafka, 'admin'>, rows: readonly ProducerTopic[]): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const { topics: found } = await admin.fetchTopicMetadata({ topics: rows.map((row) => row.name) });
    for (const row of rows) {
      const count = found.find((topic) => topic.name === row.name)?.partitions.length;
      if (count !== row.partitions)
        throw new NotRetriableError(
          `topic ${row.name} has ${count} partitions, the topics table says ${row.partitions}`,
        );
    }
  } finally {
    await admin.disconnect();
  }
}
