import { TopicRow, decodeRecord } from '@podium/messages';
import { KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { DeadLetters } from './dead-letters';
import { backoffMs, decideProgress, Progress, StuckAt } from './decide-progress';
import { DeliveryTrace } from './delivery-trace';
import { FetchedBatch, UndecodableFetch } from './group-consumer';
import { KafkaMetrics } from './kafka-metrics';
import { DeliveryProgress } from './lag-watch';
import { ConsumedRecord, DataError, Outcome, RecordBatch, RecordHeaders } from './outcomes';

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
  retry: { maxAttempts: number; baseMs: number; maxMs: number };
  logger: Logger;
  metrics: KafkaMetrics;
  random?: () => number;
}

/** A part of a fetch as it goes to the handler: every message with its decoded record or the reason why it has none. */
interface Chunk {
  readonly messages: readonly KafkaMessage[];
  readonly offsets: readonly bigint[];
  readonly decoded: readonly ({ record: ConsumedRecord } | { reason: string })[];
  readonly lastOffset: bigint;
}

/** Delivers one partition's records to a handler and turns outcomes into commits, pauses and dead letters. */
export class PartitionDelivery {
  /** How far it is; undefined before the first delivery of an assignment. */
  progress: DeliveryProgress | undefined;
  private stuck: StuckAt | null = null;
  /** Most records of the next delivery: halved by data errors, doubled by success. */
  private limit: number;
  /** Offsets not yet passed whose dead letter Kafka already has. */
  private readonly written = new Set<bigint>();

  private readonly topic: string;

  constructor(private readonly options: PartitionDeliveryOptions) {
    this.limit = options.maxBatchRecords;
    this.topic = options.topic ?? options.row.name;
  }

  /** Delivers a fetch piece by piece until it is done, stopped or no longer current. */
  async deliver(batch: FetchedBatch): Promise<void> {
    let next = 0;
    this.noteProgress(batch, next);
    while (next < batch.messages.length && batch.isCurrent()) {
      const turn = (await this.options.takeTurn?.()) ?? unlimitedTurn;
      const chunk = this.chunkOf(batch, next, turn.maxRecords);
      const progress = await this.deliverChunk(chunk).finally(() => turn.end());
      next += progress.finished;
      const position = positionAfter(batch, chunk, progress.finished, next);
      if (position !== undefined) {
        for (const offset of this.written) if (offset < position) this.written.delete(offset);
        await batch.commit(position);
      }
      this.noteProgress(batch, next);
      if (progress.stop) this.stuck = progress.stop.stuck;
      else if (progress.finished > 0) this.stuck = null;
      if (!progress.stop) continue;
      const durationMs = backoffMs(progress.stop.stuck.failures, this.options.retry, this.options.random);
      this.logStop(progress.stop, durationMs);
      return this.options.pause(durationMs);
    }
  }

  /**
   * Goes past a batch that cannot be decoded: a dead letter refers to it, and a handler with positions of its own hears of a
   * batch without records. Rejects when either fails.
   */
  async pass({ batch, commit }: UndecodableFetch, lastOffset: bigint): Promise<void> {
    const { row, partition, deadLetters, hasOwnPositions, handle, metrics } = this.options;
    const { position, firstOffset, digest, sizeBytes, reason, detail } = batch;
    if (!this.written.has(firstOffset)) {
      const place = { topic: this.topic, partition, firstOffset, lastOffset, digest, sizeBytes };
      await deadLetters.writeBatch(row, { kind: 'batch', ...place }, `${reason}: ${detail}`);
      this.written.add(firstOffset);
      metrics.deadLetters.inc(this.labels());
    }
    const nothing = { records: [], deadLetter: () => Promise.resolve() };
    if (hasOwnPositions) await handle({ topic: this.topic, partition, firstOffset: position, lastOffset, ...nothing });
    this.written.delete(firstOffset);
    await commit(lastOffset + 1n);
  }

  private async deliverChunk(chunk: Chunk): Promise<Progress> {
    const { retry } = this.options;
    try {
      await this.writeUndecodable(chunk);
    } catch (error) {
      return this.standStill(chunk, 0, error);
    }
    const outcomes = await this.outcomesOf(chunk);
    if (outcomes === 'halve') return { finished: 0, dead: [], stop: null };
    const progress = decideProgress(chunk.offsets, outcomes, this.stuck, retry.maxAttempts);
    const results = await Promise.allSettled(
      progress.dead.map(({ index, reason, attempts }) => this.writeDeadLetter(chunk.messages[index], reason, attempts)),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed >= 0)
      return this.standStill(chunk, progress.dead[failed].index, (results[failed] as PromiseRejectedResult).reason);
    this.count(outcomes, progress);
    if (!progress.stop) this.limit = Math.min(this.options.maxBatchRecords, this.limit * 2);
    return progress;
  }

  /** The handler's outcomes, one per message; a thrown error is a retry of all, or halves the batch when the data is at fault. */
  private async outcomesOf(chunk: Chunk): Promise<Outcome[] | 'halve'> {
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
      const isData = error instanceof DataError;
      trace?.fail(error instanceof Error ? error.message : String(error));
      if (isData && chunk.messages.length > 1) {
        this.limit = Math.ceil(chunk.messages.length / 2);
        return 'halve';
      }
      this.options.logger.error(
        { err: error, ...this.labels(), partition: this.options.partition },
        'a handler failed',
      );
      return [{ kind: 'retry', reason: error instanceof Error ? error.message : String(error), dependency: !isData }];
    } finally {
      stopTimer();
    }
  }

  private batchOf(chunk: Chunk, records: readonly ConsumedRecord[]): RecordBatch {
    return {
      topic: this.topic,
      partition: this.options.partition,
      firstOffset: chunk.offsets[0],
      lastOffset: chunk.lastOffset,
      records,
      deadLetter: async (record, reason) => {
        const index = chunk.offsets.indexOf(record.offset);
        await this.writeDeadLetter(chunk.messages[index], reason, (this.stuck?.attempts ?? 0) + 1);
      },
    };
  }

  /** Before the handler runs: it may pass them in its own positions. */
  private async writeUndecodable(chunk: Chunk): Promise<void> {
    await Promise.all(
      chunk.decoded.map((entry, index) =>
        'reason' in entry ? this.writeDeadLetter(chunk.messages[index], entry.reason, 1) : undefined,
      ),
    );
  }

  private async writeDeadLetter(message: KafkaMessage, reason: string, attempts: number): Promise<void> {
    const offset = BigInt(message.offset);
    if (this.written.has(offset)) return;
    const { row, partition, deadLetters, logger, metrics } = this.options;
    await deadLetters.write(row, partition, message, { reason, attempts });
    this.written.add(offset);
    metrics.deadLetters.inc(this.labels());
    logger.error(
      { ...this.labels(), partition, offset: message.offset, reason, attempts },
      'a record went to the dead letters',
    );
  }

  /** The dead letters cannot be written: stop before the record that needs one. */
  private standStill(chunk: Chunk, index: number, error: unknown): Progress {
    const offset = chunk.offsets[index];
    const before = this.stuck?.offset === offset ? this.stuck : { attempts: 0, failures: 0 };
    const reason = `writing a dead letter failed: ${error instanceof Error ? error.message : String(error)}`;
    const stuck = { offset, attempts: before.attempts, failures: before.failures + 1 };
    return { finished: index, dead: [], stop: { reason, dependency: true, stuck } };
  }

  private chunkOf(batch: FetchedBatch, from: number, maxRecords: number): Chunk {
    const messages = batch.messages.slice(from, from + Math.min(this.limit, maxRecords));
    const offsets = messages.map((message) => BigInt(message.offset));
    const isLast = from + messages.length === batch.messages.length;
    const lastOffset = isLast ? batch.lastOffset : offsets[offsets.length - 1];
    return { messages, offsets, lastOffset, decoded: messages.map((message) => this.decode(message)) };
  }

  private decode(message: KafkaMessage): { record: ConsumedRecord } | { reason: string } {
    const { row } = this.options;
    const isTombstone = message.value === null && row.retention.kind === 'compact';
    const decoded = isTombstone ? ({ ok: true, record: null } as const) : decodeRecord(row.events, message.value);
    if (!decoded.ok) return { reason: decoded.reason };
    return {
      record: {
        offset: BigInt(message.offset),
        key: message.key?.toString() ?? '',
        timestampMs: Number(message.timestamp),
        headers: headersOf(message),
        sizeBytes: (message.key?.length ?? 0) + (message.value?.length ?? 0),
        record: decoded.record,
      },
    };
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

  private logStop(stop: NonNullable<Progress['stop']>, pauseMs: number): void {
    const { reason, dependency, stuck } = stop;
    this.options.metrics.consumerRetries.inc({ ...this.labels(), cause: dependency ? 'dependency' : 'record' });
    this.options.logger.warn(
      {
        ...this.labels(),
        partition: this.options.partition,
        offset: String(stuck.offset),
        reason,
        dependency,
        attempts: stuck.attempts,
        failures: stuck.failures,
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

function headersOf(message: KafkaMessage): RecordHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) headers[name] = first.toString();
  }
  return headers;
}
