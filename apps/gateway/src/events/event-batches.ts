import { BatchedAnswer, BatchedEvent, ErrorCode, eventBatchPath } from '@podium/messages';
import { Span, SpanKind, batchSpan, failSpan, traceparentOfSpan } from '@podium/runtime/trace';
import { refusalOf } from '../routes/refusal';

/** Bounds of gathering; sizes in bytes, times in ms. */
export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBatchBytes: number;
  readonly maxQueuedPerPlatform: number;
  readonly maxQueuedBytes: number;
  /** From receipt to the answer; what is past it is answered 503 (architecture: gateway 5 s, ingestion 4 s, Kafka 3 s). */
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

/** Carries one batch; an answer per event in order, or an error when the outcome of all is unknown or nothing was sent. */
export interface BatchCarrier {
  carry(
    events: readonly BatchedEvent[],
    deadlines: { ingestionAtMs: number; gatewayAtMs: number },
    traceparent?: string,
  ): Promise<BatchedAnswer[]>;
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
  readonly resolve: (answer: BatchedAnswer) => void;
}

/**
 * Gathers events that arrive at the same time into batches: at once when the way is free, without a timer, else what has
 * come together meanwhile. Every event gets exactly one answer.
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
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Sends an event with the next batch; never rejects: what cannot be sent is answered as the partner shall see it. */
  send(event: BatchedEvent): Promise<BatchedAnswer> {
    const queued = this.queuedByPlatform.get(event.platform) ?? 0;
    if (queued >= this.limits.maxQueuedPerPlatform || this.queuedBytes + event.body.length > this.limits.maxQueuedBytes)
      return Promise.resolve(overloaded);
    return new Promise((resolve) => {
      this.queue.push({ event, resolve });
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

  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const lastReceiptMs = this.nowMs() - this.limits.ingestionDeadlineMs;
    let bytes = 0;
    let taken = 0;
    for (const waiting of this.queue) {
      const size = waiting.event.body.length;
      if (batch.length === this.limits.maxEvents || (batch.length > 0 && bytes + size > this.limits.maxBatchBytes))
        break;
      taken += 1;
      this.release(waiting.event);
      if (waiting.event.receivedAtMs <= lastReceiptMs) waiting.resolve(unavailable);
      else {
        batch.push(waiting);
        bytes += size;
      }
    }
    this.queue = this.queue.slice(taken);
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
    const oldestMs = events.reduce((oldest, { receivedAtMs }) => Math.min(oldest, receivedAtMs), Infinity);
    const span = batchSpan(`POST ${eventBatchPath}`, events, {
      kind: SpanKind.CLIENT,
      attributes: { 'podium.batch.events': events.length },
    });
    let answers: BatchedAnswer[];
    let error: unknown;
    try {
      answers = await this.carrier.carry(
        events,
        {
          ingestionAtMs: oldestMs + this.limits.ingestionDeadlineMs,
          gatewayAtMs: oldestMs + this.limits.deadlineMs,
        },
        span && traceparentOfSpan(span),
      );
      if (answers.length !== events.length) throw new Error(`${answers.length} answers to ${events.length} events`);
    } catch (cause) {
      error = cause;
      answers = events.map(() => unavailable);
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

const overloaded = answerOf('overloaded');
const unavailable = answerOf('unavailable');

function answerOf(code: ErrorCode): BatchedAnswer {
  const { status, retryAfterS = 0, body } = refusalOf(code);
  return { status, retryAfterS, body };
}
