import { Consumer, Kafka, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';

/** A record as read by a plain consumer. */
export interface SeenRecord {
  readonly key: string;
  readonly partition: number;
  readonly offset: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: { id: string; type: string; revision: number; data: Record<string, unknown> };
}

/** Reads topics from the beginning with a plain Kafka consumer, independent of Podium's code. */
export class TopicReader {
  readonly records: SeenRecord[] = [];
  /** The keys of tombstones, in the order of each partition. */
  readonly tombstones: string[] = [];
  /** The headers of the tombstones, in the same order. */
  readonly tombstoneHeaders: Readonly<Record<string, string>>[] = [];

  private constructor(private readonly consumer: Consumer) {}

  /** Starts reading; `records` fills in the background. */
  static async start(brokers: string, topics: string[]): Promise<TopicReader> {
    const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry: { retries: 30 } });
    const reader = new TopicReader(kafka.consumer({ groupId: `reader-${randomUUID()}`, maxWaitTimeInMs: 100 }));
    await reader.consumer.connect();
    await reader.consumer.subscribe({ topics, fromBeginning: true });
    await reader.consumer.run({
      eachMessage: async ({ partition, message }) => {
        const headers = Object.fromEntries(
          Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
        );
        if (message.value === null) {
          reader.tombstones.push(message.key?.toString() ?? '');
          reader.tombstoneHeaders.push(headers);
          return;
        }
        reader.records.push({
          key: message.key?.toString() ?? '',
          partition,
          offset: message.offset,
          headers,
          value: JSON.parse(message.value.toString()) as SeenRecord['value'],
        });
      },
    });
    return reader;
  }

  /** Waits until a record satisfies the predicate. */
  async find(predicate: (record: SeenRecord) => boolean, timeoutMs = 15_000): Promise<SeenRecord> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = this.records.find(predicate);
      if (found) return found;
      if (Date.now() > end) throw new Error(`no such record among ${this.records.length} within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<void> {
    await this.consumer.disconnect();
  }
}
