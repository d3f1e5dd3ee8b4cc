import { topics } from '@podium/messages';
import { Kafka, RecordProducer, requireTopic } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';

/** A change as a record for Kafka. */
export interface ChangeRecord {
  readonly key: string;
  readonly value: Buffer;
}

const deadlineMs = 60_000;

/** Publishes changes in batches to `competition.changes.v1`; one batch is sent while the next is prepared. */
export class ChangePublisher {
  private inFlight: Promise<unknown> = Promise.resolve();

  private constructor(private readonly producer: RecordProducer) {}

  /** Connects a producer; rejects when no broker responds, or when there is no topic of changes. */
  static async start(kafka: Kafka, logger: Logger): Promise<ChangePublisher> {
    await requireTopic(kafka, topics.competitionChanges.name);
    const producer = new RecordProducer(kafka, {
      logger,
      registry: new Registry(),
      topics: [topics.competitionChanges],
      maxQueueBytes: 256 * 1024 * 1024,
    });
    await producer.start();
    return new ChangePublisher(producer);
  }

  /** Resolves when the previous batch is acknowledged. */
  async publish(records: readonly ChangeRecord[]): Promise<void> {
    await this.inFlight;
    this.inFlight = Promise.all(
      records.map((record) =>
        this.producer.send({ topic: topics.competitionChanges, ...record }, { deadlineMs: Date.now() + deadlineMs }),
      ),
    );
    // The next call throws the error; this keeps it from being unhandled until then.
    this.inFlight.catch(() => undefined);
  }

  /** Resolves when everything is acknowledged. */
  async end(): Promise<void> {
    try {
      await this.inFlight;
    } finally {
      await this.producer.stop();
    }
  }
}
