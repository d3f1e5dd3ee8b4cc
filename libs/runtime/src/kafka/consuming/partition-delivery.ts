import { TopicRow } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { errorMessage } from '../../errors';
import { BatchLimit } from '../../work';
import { TakeTurn, unlimitedTurn } from './batch-turn';
import { AloneWatch } from './alone-watch';
import { Failure, OutageError, PositionMovedError, failureOf } from './batch-errors';
import { Chunk, chunkOf } from './chunk';
import { DeadLetters } from '../dead-letters/dead-letters';
import { decideProgress, Progress, StuckAt } from './decide-progress';
import { Delivered, DeliveryReport } from './delivery-report';
import { DeliveryTrace } from './delivery-trace';
import { FetchedBatch, UndecodableFetch } from '../group-membership/fetched-batch';
import { KafkaMetrics } from '../metrics/kafka-metrics';
import { DeliveryProgress } from './lag-watch';
import { PartitionLetters } from '../dead-letters/partition-dead-letters';
import { RetryPolicy, backoffMs } from './retry-and-dead-letter-policy';
import { ConsumedRecord, Outcome, RecordBatch, dead, retry, retryDependency } from './outcomes';

/** Dependencies and settings of the delivery of one partition. */
export interface PartitionDeliveryOptions {
  group: string;
  row: TopicRow;
  /** The topic that is read when it is not the row's own: the redrive topic. */
  topic?: string;
  partition: number;
  handle(batch: RecordBatch): Promise<unknown>;
  /** The handler stores positions itself, so it is also called for a batch without any decodable record. */
  hasOwnPositions: boolean;
  pause(durationMs: number): void;
  deadLetters: Pick<DeadLetters, 'write' | 'writeBatch'>;
  maxBatchRecords: number;
  /** Awaited before each batch. */
  takeTurn?: TakeTurn;
  retry: Readonly<RetryPolicy>;
  /** Successful deliveries of all partitions of the group in this process. */
  successes: { note(): void; total(): number };
  logger: Logger;
  metrics: KafkaMetrics;
  random?: () => number;
}

/** Delivers one partition's records to a handler and turns outcomes into commits, pauses and dead letters. */
export class PartitionDelivery {
  /** Current progress; undefined before the first delivery of an assignment. */
  progress: DeliveryProgress | undefined;
  private stuck: StuckAt | null = null;
  /** Maximum number of records of the next delivery. */
  private readonly limit: BatchLimit;
  private readonly alone: AloneWatch;
  private successes = 0;
  private readonly letters: PartitionLetters;
  private readonly report: DeliveryReport;
  private readonly topic: string;

  constructor(private readonly options: PartitionDeliveryOptions) {
    this.limit = new BatchLimit(options.maxBatchRecords);
    this.alone = new AloneWatch({
      patienceMs: options.retry.alonePatienceMs,
      successesElsewhere: () => options.successes.total() - this.successes,
    });
    this.topic = options.topic ?? options.row.name;
    this.letters = new PartitionLetters({ ...options, topic: this.topic });
    this.report = new DeliveryReport({ ...options, labels: this.labels() });
  }

  /** Delivers a fetch in chunks until it is done, paused or no longer current. */
  async deliver(batch: FetchedBatch): Promise<void> {
    let next = 0;
    let { position } = batch;
    if (batch.messages.length === 0) {
      const { lastOffset } = batch;
      await this.passTo(batch, { firstOffset: position ?? lastOffset, lastOffset });
      return this.noteProgress(batch, next);
    }
    this.noteProgress(batch, next);
    while (next < batch.messages.length && batch.isCurrent()) {
      const turn = (await this.options.takeTurn?.()) ?? unlimitedTurn;
      const maxRecords = Math.min(this.limit.current, turn.maxRecords);
      const chunk = chunkOf(batch, this.options.row, { from: next, maxRecords, position });
      const progress = await this.deliverChunk(chunk).finally(() => turn.end());
      next += progress.finished;
      const finishedTo = positionAfter(batch, chunk, progress.finished, next);
      if (finishedTo !== undefined) {
        this.letters.passed(finishedTo);
        await batch.commit(finishedTo);
        if (position !== undefined) position = finishedTo;
      }
      this.noteProgress(batch, next);
      if (progress.stop) this.stuck = progress.stop.stuck;
      else if (progress.finished > 0) this.stuck = null;
      if (!progress.stop) continue;
      const durationMs = backoffMs(progress.stop.stuck.failures, this.options.retry, this.options.random);
      this.report.paused(progress, { pauseMs: durationMs, nextRecords: this.limit.current });
      if (progress.cause === 'position') batch.reposition();
      return this.options.pause(durationMs);
    }
  }

  /**
   * Passes an undecodable batch: writes a dead letter that refers to it, and calls a handler that stores its own positions
   * with a batch without records. Rejects when either fails.
   */
  async pass(found: UndecodableFetch, lastOffset: bigint): Promise<void> {
    await this.letters.writeBatch(found.batch, lastOffset);
    await this.passTo(found, { firstOffset: found.batch.position, lastOffset, isUnread: true });
  }

  /** Goes beyond offsets without a record for the handler, which moves its own position. */
  private async passTo(
    { position, commit, reposition }: Pick<FetchedBatch, 'position' | 'commit' | 'reposition'>,
    offsets: Pick<RecordBatch, 'firstOffset' | 'lastOffset' | 'isUnread'>,
  ): Promise<void> {
    const { partition, hasOwnPositions, handle } = this.options;
    const nothing = { records: [], deadLetter: () => Promise.resolve() } as const;
    try {
      if (hasOwnPositions) await handle({ topic: this.topic, partition, position, ...offsets, ...nothing });
    } catch (error) {
      if (error instanceof PositionMovedError) reposition();
      throw error;
    }
    const next = offsets.lastOffset + 1n;
    this.letters.passed(next);
    await commit(next);
  }

  private async deliverChunk(chunk: Chunk): Promise<Delivered> {
    try {
      await this.writeUndecodable(chunk);
    } catch (error) {
      return this.pauseBefore(chunk, 0, error, 'writing a dead letter failed');
    }
    const result = await this.runHandler(chunk);
    const failure = Array.isArray(result) ? undefined : result;
    const size = chunk.messages.length;
    if (failure && failure.cause !== 'position') this.limit.shrink(size, failure.cause === 'size' ? 'size' : 'other');
    if (failure?.cause === 'record' && size > 1) return { finished: 0, dead: [], stop: null };
    const outcomes = Array.isArray(result) ? result : [this.outcomeOf(result, chunk)];
    const progress = decideProgress(chunk.offsets, outcomes, this.stuck, this.options.retry.maxAttempts);
    const writeFailure = await this.writeDead(chunk, progress);
    if (writeFailure) return writeFailure;
    if (failure && progress.finished > 0) {
      const passFailure = await this.passDead(chunk);
      if (passFailure) return passFailure;
    }
    this.report.count(outcomes, progress);
    if (progress.finished > 0) this.alone.clear();
    if (!progress.stop) this.limit.grow(size);
    if (!failure && progress.finished > 0) this.noteSuccess();
    return { ...progress, cause: failure?.cause };
  }

  /** Runs the handler: one outcome per message, or why it threw. */
  private async runHandler(chunk: Chunk): Promise<Outcome[] | Failure> {
    const decoded = chunk.decoded.flatMap((entry) => ('record' in entry ? [entry.record] : []));
    const { partition, row } = this.options;
    const { records, trace } = DeliveryTrace.begin({ ...this.labels(), partition }, decoded, row);
    const stopTimer = this.options.metrics.consumerBatchSeconds.startTimer(this.labels());
    try {
      const answer =
        records.length > 0 || this.options.hasOwnPositions
          ? await this.options.handle(this.batchOf(chunk, records, undecodableOf(chunk)))
          : [];
      if (!Array.isArray(answer) || answer.length !== records.length)
        throw new Error(`the handler of ${this.topic} did not return ${records.length} outcomes`);
      trace?.end(records, answer as Outcome[], this.options.logger);
      const outcomes = (answer as Outcome[]).values();
      return chunk.decoded.map((entry) =>
        'record' in entry ? (outcomes.next().value as Outcome) : { kind: 'dead', reason: entry.reason },
      );
    } catch (error) {
      const failure = failureOf(error);
      trace?.fail(failure.reason);
      if (failure.cause === 'size' || (failure.cause === 'record' && chunk.messages.length === 1))
        this.options.logger.error(
          { err: error, ...this.labels(), partition: this.options.partition, records: chunk.messages.length },
          'a handler failed',
        );
      return failure;
    } finally {
      stopTimer();
    }
  }

  /** The outcome of a failure for the first record of the chunk, where the partition may pause. */
  private outcomeOf({ cause, reason }: Failure, { messages, offsets }: Chunk): Outcome {
    if (cause === 'record') return retry(reason);
    const isAtFault = cause === 'size' && messages.length === 1 && this.alone.failed(offsets[0]);
    return isAtFault ? dead(`${reason} (alone, while other records succeed)`) : retryDependency(reason);
  }

  /** Writes the dead letters of a delivery; returns where the partition is paused when one cannot be written. */
  private async writeDead(chunk: Chunk, progress: Progress): Promise<Delivered | undefined> {
    const results = await Promise.allSettled(
      progress.dead.map(({ index, reason, attempts }) => this.letters.write(chunk.messages[index], reason, attempts)),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed < 0) return undefined;
    const { reason } = results[failed] as PromiseRejectedResult;
    return this.pauseBefore(chunk, progress.dead[failed].index, reason, 'writing a dead letter failed');
  }

  /** Lets a handler that stores its own positions pass a failed record; returns where the partition is paused when that fails. */
  private async passDead(chunk: Chunk): Promise<Delivered | undefined> {
    if (!this.options.hasOwnPositions) return undefined;
    try {
      await this.options.handle(this.batchOf(chunk, [], chunk.messages));
      return undefined;
    } catch (error) {
      return { ...this.pauseBefore(chunk, 0, error, 'passing a dead record failed'), cause: failureOf(error).cause };
    }
  }

  private noteSuccess(): void {
    this.successes++;
    this.options.successes.note();
  }

  /** `dead` are the messages of the chunk that are in the dead letters and not among the records. */
  private batchOf(
    chunk: Chunk,
    records: readonly ConsumedRecord[],
    dead: readonly Pick<KafkaMessage, 'offset' | 'value'>[],
  ): RecordBatch {
    return {
      topic: this.topic,
      partition: this.options.partition,
      firstOffset: chunk.offsets[0],
      lastOffset: chunk.lastOffset,
      position: chunk.position,
      records,
      ...(dead.length > 0 && { deadRecords: dead.map(({ offset, value }) => ({ offset: BigInt(offset), value })) }),
      deadLetter: async (record, reason) => {
        const message = chunk.messages[chunk.offsets.indexOf(record.offset)];
        await this.letters.write(message, reason, (this.stuck?.attempts ?? 0) + 1).catch((error: unknown) => {
          throw new OutageError(`writing a dead letter failed: ${String(error)}`, { cause: error });
        });
      },
    };
  }

  /** Runs before the handler, which may pass these records in its own positions. */
  private async writeUndecodable(chunk: Chunk): Promise<void> {
    await Promise.all(
      chunk.decoded.map((entry, index) =>
        'reason' in entry ? this.letters.write(chunk.messages[index], entry.reason, 1) : undefined,
      ),
    );
  }

  /** A required step failed: the partition is paused before that record. */
  private pauseBefore(chunk: Chunk, index: number, error: unknown, what: string): Delivered {
    const offset = chunk.offsets[index];
    const before = this.stuck?.offset === offset ? this.stuck : { attempts: 0, failures: 0 };
    const reason = `${what}: ${errorMessage(error)}`;
    const stuck = { offset, attempts: before.attempts, failures: before.failures + 1 };
    return { finished: index, dead: [], stop: { reason, dependency: true, stuck } };
  }

  private noteProgress(batch: FetchedBatch, next: number): void {
    const waiting = batch.messages[next] as KafkaMessage | undefined;
    this.progress = waiting
      ? { position: BigInt(waiting.offset), end: batch.highWatermark, waitingTimestampMs: Number(waiting.timestamp) }
      : { position: batch.lastOffset + 1n, end: batch.highWatermark };
  }

  private labels(): { group: string; topic: string } {
    return { group: this.options.group, topic: this.topic };
  }
}

/** The messages of a chunk that have no decoded record. */
function undecodableOf({ messages, decoded }: Chunk): KafkaMessage[] {
  return messages.filter((_message, index) => 'reason' in decoded[index]);
}

/** The next offset after the finished records; undefined when there are none. */
function positionAfter(batch: FetchedBatch, chunk: Chunk, finished: number, next: number): bigint | undefined {
  if (finished === 0) return undefined;
  return next === batch.messages.length ? batch.lastOffset + 1n : chunk.offsets[finished - 1] + 1n;
}
