import { BatchedAnswer, BatchedEvent, CodedError, ErrorCode, eventBatchPath } from '@podium/messages';
import { Span, SpanKind, batchSpan, failSpan, traceparentOfSpan } from '@podium/runtime/trace';
import { refusalOf } from '../routes/refusal';

/** Bounds of gathering; sizes in bytes, times in ms. */
export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBatchBytes: number;
  readonly maxQueuedPerPlatform: number;
  readonly maxQueuedBytes: number;
  /** From receipt to the answer; what is past it is answered 503 (gateway 5 s, ingestion 4 s, Kafka 3 s). */
  readonly deadlineMs: number;
  /** From receipt to ingestion's own end, told to it; always before `deadlineMs`. */
  readonly ingestionDeadlineMs: number;
}

/** The gateway's bounds. */
export const batchLimits: BatchLimits = {
  maxEvents: 200,
  maxBatchBytes: 1024 * 1024,
  maxQueuedPerPlatform: 200,
  maxQueuedBytes: 64 * 1024 * 1024,
  deadlineMs: 5_000,
  ingestionDeadlineMs: 4_000,
};

/** When a batch must be done, in monotonic ms: the times of day of two machines are not compared. */
export interface BatchDeadlines {
  readonly ingestionAtMs: number;
  readonly gatewayAtMs: number;
}

/** Carries one batch; an answer per event in order, or an error when the outcome of all is unknown or nothing was sent. */
export interface BatchCarrier {
  carry(
    events: readonly BatchedEvent[],
    deadlines: BatchDeadlines,
    traceparent?: string,
  ): Promise<readonly BatchedAnswer[]>;
  /** How many batches may be under way at once, at least 2. */
  maxUnderWay(): number;
}

/** What became of a batch, for the log and the metrics. */
export interface BatchReport {
  readonly events: readonly BatchedEvent[];
  readonly answers: readonly BatchedAnswer[];
  readonly durationMs: number;
  readonly error?: unknown;
  /** The batch's own, when one of its events is traced. */
  readonly span?: Span;
}

interface Waiting {
  readonly event: BatchedEvent;
  /** Monotonic ms by which ingestion must have answered. */
  readonly ingestionAtMs: number;
  readonly resolve: (answer: BatchedAnswer) => void;
}

/**
 * Gathers events that arrive at the same time into batches: at once when the way is free, without a timer, else what has
 * come together meanwhile. Every event gets exactly one answer. The batch has the time of that event which has the least
 * left, so only events go together that have about as much.
 */
export class EventBatches {
  private queue: Waiting[] = [];
  private readonly queuedByPlatform = new Map<string, number>();
  private queuedBytes = 0;
  private underWay = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly carrier: BatchCarrier,
    private readonly onBatch: (report: BatchReport) => void,
    private readonly limits: BatchLimits = batchLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Sends an event with the next batch; never rejects: what cannot be sent is answered as the partner shall see it.
   * `receivedMs` is its receipt in monotonic ms, from which its deadline runs.
   */
  send(event: BatchedEvent, receivedMs: number): Promise<BatchedAnswer> {
    const queued = this.queuedByPlatform.get(event.platform) ?? 0;
    if (queued >= this.limits.maxQueuedPerPlatform || this.queuedBytes + event.body.length > this.limits.maxQueuedBytes)
      return Promise.resolve(overloaded);
    return new Promise((resolve) => {
      this.queue.push({ event, ingestionAtMs: receivedMs + this.limits.ingestionDeadlineMs, resolve });
      this.queuedByPlatform.set(event.platform, queued + 1);
      this.queuedBytes += event.body.length;
      this.schedule();
    });
  }

  /** Events that wait for a batch. */
  queued(): number {
    return this.queue.length;
  }

  /** Resolves when nothing waits and nothing is under way. */
  async drained(): Promise<void> {
    if (this.queue.length === 0 && this.underWay === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled || this.queue.length === 0 || this.underWay >= this.carrier.maxUnderWay()) return;
    this.scheduled = true;
    // After the sockets' turn of this tick, so that all of one tick go together.
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.nextBatch();
      if (batch.length > 0) void this.carry(batch);
      this.schedule();
    });
  }

  /** The first that waits and what goes with it; what does not stays in order. What is past its time is answered. */
  private nextBatch(): Waiting[] {
    const nowMs = this.nowMs();
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    let grain: number | undefined;
    let bytes = 0;
    let at = 0;
    for (; at < this.queue.length; at++) {
      const waiting = this.queue[at];
      const timeLeftMs = waiting.ingestionAtMs - nowMs;
      if (timeLeftMs <= 0) {
        this.release(waiting.event);
        waiting.resolve(unavailable);
        continue;
      }
      grain ??= grainOf(timeLeftMs);
      if (grainOf(timeLeftMs) !== grain) {
        left.push(waiting);
        continue;
      }
      const size = waiting.event.body.length;
      if (batch.length === this.limits.maxEvents || (batch.length > 0 && bytes + size > this.limits.maxBatchBytes))
        break;
      this.release(waiting.event);
      batch.push(waiting);
      bytes += size;
    }
    this.queue = left.length === 0 ? this.queue.slice(at) : [...left, ...this.queue.slice(at)];
    if (batch.length === 0) this.tellIdle();
    return batch;
  }

  private release({ platform, body }: BatchedEvent): void {
    const queued = (this.queuedByPlatform.get(platform) ?? 1) - 1;
    if (queued === 0) this.queuedByPlatform.delete(platform);
    else this.queuedByPlatform.set(platform, queued);
    this.queuedBytes -= body.length;
  }

  private async carry(batch: Waiting[]): Promise<void> {
    this.underWay += 1;
    const startedMs = this.nowMs();
    const events = batch.map(({ event }) => event);
    const ingestionAtMs = batch.reduce((earliest, waiting) => Math.min(earliest, waiting.ingestionAtMs), Infinity);
    const span = batchSpan(`POST ${eventBatchPath}`, events, {
      kind: SpanKind.CLIENT,
      attributes: { 'podium.batch.events': events.length },
    });
    let answers: readonly BatchedAnswer[];
    let error: unknown;
    try {
      answers = await this.carrier.carry(
        events,
        { ingestionAtMs, gatewayAtMs: ingestionAtMs + this.limits.deadlineMs - this.limits.ingestionDeadlineMs },
        span && traceparentOfSpan(span),
      );
      if (answers.length !== events.length) throw new Error(`${answers.length} answers to ${events.length} events`);
    } catch (cause) {
      error = cause;
      const answer = cause instanceof CodedError && cause.code === 'overloaded' ? overloaded : unavailable;
      answers = events.map(() => answer);
    }
    batch.forEach(({ resolve }, at) => resolve(answers[at]));
    this.underWay -= 1;
    this.onBatch({ events, answers, durationMs: this.nowMs() - startedMs, error, span });
    if (error === undefined) span?.end();
    else if (span) failSpan(span, 'the outcome is unknown');
    this.schedule();
    this.tellIdle();
  }

  private tellIdle(): void {
    if (this.queue.length > 0 || this.underWay > 0) return;
    const idle = this.idle;
    this.idle = [];
    for (const resolve of idle) resolve();
  }
}

/** Events of one grain have time left within a factor of two of each other, so none takes more than half of another's. */
function grainOf(timeLeftMs: number): number {
  return Math.max(shortestGrain, Math.floor(Math.log2(timeLeftMs)));
}

// 64 ms: below it there is no time to be taken.
const shortestGrain = 6;

const overloaded = answerOf('overloaded');
const unavailable = answerOf('unavailable');

function answerOf(code: ErrorCode): BatchedAnswer {
  const { status, retryAfterS = 0, body } = refusalOf(code);
  return { status, retryAfterS, body };
}
