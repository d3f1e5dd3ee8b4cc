import { BatchPassedData } from '@podium/messages';
import { Logger } from 'pino';
import { Kafka } from './create-kafka';
import { UndecodableFetch } from './fetched-batch';
import { UndecodableStop } from './kafka-metrics';
import { BatchPlace, PassedBatches } from './passed-batches';
import { UndecodableBatch } from './record-batches/undecodable-batch';

/** Who is stopped by batches that cannot be decoded, and what then becomes of them. */
export interface UndecodableStopsOptions {
  kafka: Kafka;
  /** The consumer group. */
  group: string;
  logger: Logger;
  pause(topic: string, partition: number, durationMs: number): void;
  /**
   * The operators let the group go past the batch: leaves what is to be left in its place and commits behind `lastOffset`.
   * What it throws is logged, and the batch comes again.
   */
  onPassed(found: UndecodableFetch, lastOffset: bigint): Promise<void>;
}

interface Stop {
  readonly batch: UndecodableBatch;
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
}

/** How long a partition waits before it is looked whether its batch can be passed or, with another leader, decoded. */
const pauseMs = 5_000;

/**
 * The partitions of a consumer that stand before a batch that nobody can decode. Such a partition waits, alone and visibly,
 * until the batch can be decoded after all or until operators let it pass; nothing passes it by itself.
 */
export class UndecodableStops {
  private readonly stops = new Map<string, Stop & BatchPlace>();
  private assignment: BatchPlace[] = [];
  private passed: PassedBatches | undefined;

  constructor(private readonly options: UndecodableStopsOptions) {}

  /** The partition has come to such a batch: goes past it if it may, else pauses. */
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

  /** Records of the partition came after all. */
  readable(place: BatchPlace): void {
    if (this.stops.size > 0) this.stops.delete(nameOf(place));
  }

  /** These partitions are this member's now; what it stood before in others is somebody else's business. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.assignment = Object.entries(assignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    );
    const names = new Set(this.assignment.map(nameOf));
    for (const name of this.stops.keys()) if (!names.has(name)) this.stops.delete(name);
  }

  /** Milliseconds since the first partition has stood still; 0 when none does. */
  stoppedMs(): number {
    const since = Math.min(...[...this.stops.values()].map(({ sinceMs }) => sinceMs));
    return Number.isFinite(since) ? performance.now() - since : 0;
  }

  /** Each partition with the batch before which it stands, if it does. */
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
    this.stops.set(nameOf(found), { topic, partition, batch, sinceMs: known?.sinceMs ?? performance.now() });
    this.options.logger.error(
      this.fieldsOf(found),
      'a batch cannot be decoded: its partition stands still until operators let it pass',
    );
  }

  /** Read from the first stop on; until it is caught up nothing may be passed. */
  private passes(): PassedBatches {
    if (!this.passed) {
      const { kafka, group, logger } = this.options;
      this.passed = new PassedBatches(kafka, group, logger);
      this.passed.start().catch((error: unknown) => logger.debug({ group, cause: String(error) }, 'not read further'));
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

/** The end that the operators were shown; a position that is beyond it already goes on. */
function lastPassed(leave: BatchPassedData, { position, lastOffset }: UndecodableBatch): bigint {
  const shown = BigInt(leave.last_offset);
  return shown >= position ? shown : lastOffset;
}

function nameOf({ topic, partition }: BatchPlace): string {
  return `${topic}/${partition}`;
}
