import { TopicRow } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { errorMessage } from '../errors';
import { BatchLimit } from '../work';
import { AloneWatch } from './alone-watch';
import { Failure, OutageError, PositionMovedError, failureOf } from './batch-errors';
import { Chunk, chunkOf } from './chunk';
import { DeadLetters } from './dead-letters';
import { backoffMs, decideProgress, Progress, StuckAt } from './decide-progress';
import { DeliveryTrace } from './delivery-trace';
import { FetchedBatch, UndecodableFetch } from './fetched-batch';
import { KafkaMetrics, StopCause } from './kafka-metrics';
import { DeliveryProgress } from './lag-watch';
import { PartitionLetters } from './partition-letters';
import { RetryPolicy } from './retry-policy';
import { ConsumedRecord, Outcome, RecordBatch, dead, retry, retryDependency } from './outcomes';

/** Leave to process a batch, given back when it is done. */
export interface BatchTurn {
  /** Most records of the batch. */
  readonly maxRecords: number;
  end(): void;
}

/** Resolves when a batch may begin: how a consumer leaves room to what else its process does. */
export type TakeTurn = () => Promise<BatchTurn>;

const unlimitedTurn: BatchTurn = { maxRecords: Infinity, end: () => undefined };

/** What the delivery of one partition needs. */
export interface PartitionDeliveryOptions {
  group: string;
  row: TopicRow;
  /** Where the records come from when it is not the row's own topic: what is redriven. */
  topic?: string;
  partition: number;
  handle(batch: RecordBatch): Promise<unknown>;
  /** The handler writes positions itself, so that it also hears of a batch in which nothing could be decoded. */
  hasOwnPositions: boolean;
  pause(durationMs: number): void;
  deadLetters: Pick<DeadLetters, 'write' | 'writeBatch'>;
  maxBatchRecords: number;
  /** Asked before each batch. */
  takeTurn?: TakeTurn;
  retry: Readonly<RetryPolicy>;
  /** Deliveries of all partitions of the group in this process that succeeded. */
  successes: { note(): void; total(): number };
  logger: Logger;
  metrics: KafkaMetrics;
  random?: () => number;
}

/** What a delivery came to; `cause` is why it stopped when the handler threw. */
type Delivered = Progress & { readonly cause?: StopCause };

/** Delivers one partition's records to a handler and turns outcomes into commits, pauses and dead letters. */
export class PartitionDelivery {
  /** How far it is; undefined before the first delivery of an assignment. */
  progress: DeliveryProgress | undefined;
  private stuck: StuckAt | null = null;
  /** Most records of the next delivery. */
  private readonly limit: BatchLimit;
  private readonly alone: AloneWatch;
  private successes = 0;
  private readonly letters: PartitionLetters;
  private readonly topic: string;

  constructor(private readonly options: PartitionDeliveryOptions) {
    this.limit = new BatchLimit(options.maxBatchRecords);
    this.alone = new AloneWatch({
      patienceMs: options.retry.alonePatienceMs,
      successesElsewhere: () => options.successes.total() - this.successes,
    });
    this.topic = options.topic ?? options.row.name;
    this.letters = new PartitionLetters({ ...options, topic: this.topic });
  }

  /** Delivers a fetch piece by piece until it is done, stopped or no longer current. */
  async deliver(batch: FetchedBatch): Promise<void> {
    let next = 0;
    let { position } = batch;
    this.noteProgress(batch, next);
    while (next < batch.messages.length && batch.isCurrent()) {
      const turn = (await this.options.takeTurn?.()) ?? unlimitedTurn;
      const most = Math.min(this.limit.current, turn.maxRecords);
      const chunk = chunkOf(batch, this.options.row, { from: next, most, position });
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
      this.logStop(progress, durationMs);
      if (progress.cause === 'position') batch.reposition();
      return this.options.pause(durationMs);
    }
  }

  /**
   * Goes past a batch that cannot be decoded: a dead letter refers to it, and a handler with positions of its own hears of a
   * batch without records. Rejects when either fails.
   */
  async pass({ batch, position, commit, reposition }: UndecodableFetch, lastOffset: bigint): Promise<void> {
    const { partition, hasOwnPositions, handle } = this.options;
    await this.letters.writeBatch(batch, lastOffset);
    const nothing = { records: [], deadLetter: () => Promise.resolve() };
    const passed = { topic: this.topic, partition, firstOffset: batch.position, lastOffset, position, ...nothing };
    try {
      if (hasOwnPositions) await handle(passed);
    } catch (error) {
      if (error instanceof PositionMovedError) reposition();
      throw error;
    }
    this.letters.passed(lastOffset + 1n);
    await commit(lastOffset + 1n);
  }

  private async deliverChunk(chunk: Chunk): Promise<Delivered> {
    try {
      await this.writeUndecodable(chunk);
    } catch (error) {
      return this.standStill(chunk, 0, error, 'writing a dead letter failed');
    }
    const answer = await this.ask(chunk);
    const failure = Array.isArray(answer) ? undefined : answer;
    const size = chunk.messages.length;
    if (failure && failure.cause !== 'position') this.limit.shrink(size, failure.cause === 'size' ? 'size' : 'other');
    if (failure?.cause === 'record' && size > 1) return { finished: 0, dead: [], stop: null };
    const outcomes = Array.isArray(answer) ? answer : [this.outcomeOf(answer, chunk)];
    const progress = decideProgress(chunk.offsets, outcomes, this.stuck, this.options.retry.maxAttempts);
    const unwritten = await this.writeDead(chunk, progress);
    if (unwritten) return unwritten;
    if (failure && progress.finished > 0) {
      const notPassed = await this.passDead(chunk);
      if (notPassed) return notPassed;
    }
    this.count(outcomes, progress);
    if (progress.finished > 0) this.alone.clear();
    if (!progress.stop) this.limit.grow(size);
    if (!failure && progress.finished > 0) this.noteSuccess();
    return { ...progress, cause: failure?.cause };
  }

  /** What the handler answers, one outcome per message, or why it threw. */
  private async ask(chunk: Chunk): Promise<Outcome[] | Failure> {
    const decoded = chunk.decoded.flatMap((entry) => ('record' in entry ? [entry.record] : []));
    const { records, trace } = DeliveryTrace.begin({ ...this.labels(), partition: this.options.partition }, decoded);
    const stopTimer = this.options.metrics.consumerBatchSeconds.startTimer(this.labels());
    try {
      const answer =
        records.length > 0 || this.options.hasOwnPositions
          ? await this.options.handle(this.batchOf(chunk, records))
          : [];
      if (!Array.isArray(answer) || answer.length !== records.length)
        throw new Error(`the handler of ${this.topic} returned other than ${records.length} outcomes`);
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

  /** What a failure means for the first record of the chunk, at which the partition stops if it stops. */
  private outcomeOf({ cause, reason }: Failure, { messages, offsets }: Chunk): Outcome {
    if (cause === 'record') return retry(reason);
    const isAtFault = cause === 'size' && messages.length === 1 && this.alone.failed(offsets[0]);
    return isAtFault ? dead(`${reason} (alone, while other records succeed)`) : retryDependency(reason);
  }

  /** Writes the dead letters of a delivery; returns where the partition stands still when one cannot be written. */
  private async writeDead(chunk: Chunk, progress: Progress): Promise<Delivered | undefined> {
    const results = await Promise.allSettled(
      progress.dead.map(({ index, reason, attempts }) => this.letters.write(chunk.messages[index], reason, attempts)),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed < 0) return undefined;
    const { reason } = results[failed] as PromiseRejectedResult;
    return this.standStill(chunk, progress.dead[failed].index, reason, 'writing a dead letter failed');
  }

  /** Has a handler that keeps its own positions pass a record that it could not handle; returns where that fails. */
  private async passDead(chunk: Chunk): Promise<Delivered | undefined> {
    if (!this.options.hasOwnPositions) return undefined;
    try {
      await this.options.handle(this.batchOf(chunk, []));
      return undefined;
    } catch (error) {
      return { ...this.standStill(chunk, 0, error, 'passing a dead record failed'), cause: failureOf(error).cause };
    }
  }

  private noteSuccess(): void {
    this.successes++;
    this.options.successes.note();
  }

  private batchOf(chunk: Chunk, records: readonly ConsumedRecord[]): RecordBatch {
    return {
      topic: this.topic,
      partition: this.options.partition,
      firstOffset: chunk.offsets[0],
      lastOffset: chunk.lastOffset,
      position: chunk.position,
      records,
      deadLetter: async (record, reason) => {
        const message = chunk.messages[chunk.offsets.indexOf(record.offset)];
        await this.letters.write(message, reason, (this.stuck?.attempts ?? 0) + 1).catch((error: unknown) => {
          throw new OutageError(`writing a dead letter failed: ${String(error)}`, { cause: error });
        });
      },
    };
  }

  /** Before the handler runs: it may pass them in its own positions. */
  private async writeUndecodable(chunk: Chunk): Promise<void> {
    await Promise.all(
      chunk.decoded.map((entry, index) =>
        'reason' in entry ? this.letters.write(chunk.messages[index], entry.reason, 1) : undefined,
      ),
    );
  }

  /** What must be done before the partition goes on cannot be done: stop before that record. */
  private standStill(chunk: Chunk, index: number, error: unknown, what: string): Delivered {
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

  private count(outcomes: readonly Outcome[], progress: Progress): void {
    const totals = new Map<string, number>();
    for (const { kind } of outcomes.slice(0, progress.finished)) {
      const outcome = kind === 'retry' ? 'dead' : kind;
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
    }
    for (const [outcome, total] of totals)
      this.options.metrics.consumedRecords.inc({ ...this.labels(), outcome }, total);
  }

  private logStop({ stop, cause }: Delivered, pauseMs: number): void {
    const { reason, dependency, stuck } = stop!;
    const why: StopCause = cause ?? (dependency ? 'dependency' : 'record');
    this.options.metrics.consumerRetries.inc({ ...this.labels(), cause: why });
    this.options.logger.warn(
      {
        ...this.labels(),
        partition: this.options.partition,
        offset: String(stuck.offset),
        reason,
        cause: why,
        attempts: stuck.attempts,
        failures: stuck.failures,
        next_records: this.limit.current,
        pause_ms: Math.round(pauseMs),
      },
      'a partition stands still and will be delivered again',
    );
  }

  private labels(): { group: string; topic: string } {
    return { group: this.options.group, topic: this.topic };
  }
}

/** The next offset after what is finished; undefined when nothing is. */
function positionAfter(batch: FetchedBatch, chunk: Chunk, finished: number, next: number): bigint | undefined {
  if (finished === 0) return undefined;
  return next === batch.messages.length ? batch.lastOffset + 1n : chunk.offsets[finished - 1] + 1n;
}
