import { topics } from '@podium/messages';
import { Kafka, RecordProducer } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';

/** A change as it goes to Kafka. */
export interface ChangeRecord {
  readonly key: string;
  readonly value: Buffer;
}

const deadlineMs = 60_000;

/** Publishes changes in batches to `competition.changes.v1`; one batch is under way while the next is prepared. */
export class ChangePublisher {
  private underWay: Promise<unknown> = Promise.resolve();

  private constructor(private readonly producer: RecordProducer) {}

  /** Begins to publish with a client; rejects when no broker answers. */
  static async start(kafka: Kafka, logger: Logger): Promise<ChangePublisher> {
    const producer = new RecordProducer(kafka, {
      logger,
      registry: new Registry(),
      topics: [topics.competitionChanges],
      maxQueueBytes: 256 * 1024 * 1024,
    });
    await producer.start();
    return new ChangePublisher(producer);
  }

  /** Resolves when the batch before this one is in Kafka for good. */
  async publish(records: readonly ChangeRecord[]): Promise<void> {
    await this.underWay;
    this.underWay = Promise.all(
      records.map((record) =>
        this.producer.send({ topic: topics.competitionChanges, ...record }, { deadlineMs: Date.now() + deadlineMs }),
      ),
    );
    // Thrown by the next call; until then nobody waits for it.
    this.underWay.catch(() => undefined);
  }

  /** Resolves when everything is in Kafka. */
  async end(): Promise<void> {
    try {
      await this.underWay;
    } finally {
      await this.producer.stop();
    }
  }
}
