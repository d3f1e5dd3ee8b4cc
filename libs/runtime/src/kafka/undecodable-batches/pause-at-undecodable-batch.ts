import { BatchPassedData } from '@podium/messages';
import { Logger } from 'pino';
import { Kafka } from '../client/create-kafka';
import { UndecodableFetch } from '../group-membership/fetched-batch';
import { UndecodableStop } from '../metrics/consumer-gauges';
import { BatchPlace, PassedBatches } from './passed-batches';
import { UndecodableBatch } from '../record-batches/undecodable-reason';

/** The consumer whose partitions are paused, and how it passes a batch. */
export interface UndecodablePausesOptions {
  kafka: Kafka;
  /** The consumer group. */
  group: string;
  logger: Logger;
  pause(topic: string, partition: number, durationMs: number): void;
  /**
   * The operators let the group pass the batch: writes the dead letter for it and commits behind `lastOffset`. An error is
   * logged, and the batch is delivered again.
   */
  onPassed(found: UndecodableFetch, lastOffset: bigint): Promise<void>;
}

interface Stop extends BatchPlace {
  readonly batch: UndecodableBatch;
}

/** Pause of a partition until it checks whether its batch can be passed or, with another leader, decoded. */
const pauseMs = 5_000;

/**
 * The partitions of a consumer that are paused at an undecodable batch. Such a partition waits, without affecting others,
 * until the batch can be decoded after all or operators let it pass. No batch is passed automatically.
 */
export class UndecodablePauses {
  private readonly stops = new Map<string, Stop>();
  private assignment: BatchPlace[] = [];
  private passed: PassedBatches | undefined;

  constructor(private readonly options: UndecodablePausesOptions) {}

  /** The partition has reached such a batch: passes it if operators allow it, else pauses. */
  async meet(found: UndecodableFetch): Promise<void> {
    const { topic, partition, batch } = found;
    this.note(found);
    const leave = this.passes().leaveFor(found, batch);
    if (!leave) return this.options.pause(topic, partition, pauseMs);
    try {
      await this.options.onPassed(found, lastPassed(leave, batch));
      this.options.logger.error({ ...this.fieldsOf(found), leave }, 'an undecodable batch was passed');
      this.stops.delete(nameOf(found));
    } catch (error) {
      this.options.logger.error({ err: error, ...this.fieldsOf(found) }, 'passing an undecodable batch failed');
      if (found.isCurrent()) this.options.pause(topic, partition, pauseMs);
    }
  }

  /** Records of the partition were decoded after all. */
  readable(place: BatchPlace): void {
    if (this.stops.size > 0) this.stops.delete(nameOf(place));
  }

  /** The current assignment; undecodable batches of other partitions no longer concern this member. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.assignment = Object.entries(assignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    );
    const names = new Set(this.assignment.map(nameOf));
    for (const name of this.stops.keys()) if (!names.has(name)) this.stops.delete(name);
  }

  /** Each partition with the undecodable batch at which it is paused, if there is one. */
  *figures(): Iterable<UndecodableStop> {
    for (const { topic, partition } of this.assignment) {
      const batch = this.stops.get(nameOf({ topic, partition }))?.batch;
      yield { group: this.options.group, topic, partition, batch };
    }
  }

  async close(): Promise<void> {
    await this.passed?.stop();
  }

  private note(found: UndecodableFetch): void {
    const known = this.stops.get(nameOf(found));
    const { topic, partition, batch } = found;
    if (known?.batch.firstOffset === batch.firstOffset && known.batch.digest === batch.digest) return;
    this.stops.set(nameOf(found), { topic, partition, batch });
    this.options.logger.error(
      this.fieldsOf(found),
      'a batch cannot be decoded: its partition is paused until operators pass it',
    );
  }

  /** Created at the first pause; no batch may be passed until it has caught up. */
  private passes(): PassedBatches {
    if (!this.passed) {
      const { kafka, group, logger } = this.options;
      this.passed = new PassedBatches(kafka, group, logger);
      this.passed
        .start()
        .catch((error: unknown) =>
          logger.debug({ group, cause: String(error) }, 'reading which batches may be passed was stopped'),
        );
    }
    return this.passed;
  }

  private fieldsOf({ topic, partition, batch }: UndecodableFetch): Record<string, unknown> {
    const { group } = this.options;
    return {
      group,
      topic,
      partition,
      first_offset: String(batch.firstOffset),
      last_offset: String(batch.lastOffset),
      reason: batch.reason,
      detail: batch.detail,
      codec: batch.codec,
      bytes: batch.sizeBytes,
      digest: batch.digest,
    };
  }
}

/** The last offset that operators were shown; a position that is already beyond it continues. */
export function lastPassed(leave: BatchPassedData, { position, lastOffset }: UndecodableBatch): bigint {
  const shown = BigInt(leave.last_offset);
  return shown >= position ? shown : lastOffset;
}

function nameOf({ topic, partition }: BatchPlace): string {
  return `${topic}/${partition}`;
}
