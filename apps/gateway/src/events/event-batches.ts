import { BatchedAnswer, BatchedEvent, CodedError, ErrorCode, eventBatchPath, maxBatchOf } from '@podium/messages';
import { Span, SpanKind, batchSpan, failSpan, traceparentOfSpan } from '@podium/runtime/trace';
import { refusalOf } from '../http/refusal';
import { BatchLimits, batchLimits } from './batch-limits';

/** When a batch must be done, in monotonic ms: the times of day of two machines are not compared. */
export interface BatchDeadlines {
  readonly ingestionAtMs: number;
  readonly gatewayAtMs: number;
}

/** Sends one batch; returns a response per event in order, or rejects when the outcome is unknown or nothing was sent. */
export interface BatchCarrier {
  carry(
    events: readonly BatchedEvent[],
    deadlines: BatchDeadlines,
    traceparent?: string,
  ): Promise<readonly BatchedAnswer[]>;
  /** How many batches may be in flight at once, at least 2. */
  maxInFlight(): number;
}

/** The result of a batch, for the log and the metrics. */
export interface BatchReport {
  readonly events: readonly BatchedEvent[];
  readonly answers: readonly BatchedAnswer[];
  readonly durationMs: number;
  readonly error?: unknown;
  /** The batch's own span, when one of its events is traced. */
  readonly span?: Span;
}

/** What is known of an event's request. */
export interface EventArrival {
  /** The receipt in monotonic ms, from which its deadline runs. */
  readonly receivedMs: number;
  /** How many events the platform may send at once. */
  readonly burst: number;
}

interface Waiting {
  readonly event: BatchedEvent;
  /** Monotonic ms by which ingestion must have answered. */
  readonly ingestionAtMs: number;
  readonly resolve: (answer: BatchedAnswer) => void;
}

/**
 * Collects events that arrive at the same time into batches. A batch leaves at once when none is in flight, otherwise when a
 * slot is free and it has half as many events as those in flight have on average, or has waited `gatherMs`. Without this, the
 * first events after a response would leave alone in the free slot, and the costs of a batch would be those of few events.
 * Every event gets exactly one response.
 * A batch has the deadline of its most urgent event, so only events with a similar remaining time share a batch.
 */
export class EventBatches {
  private queue: Waiting[] = [];
  private readonly queuedByPlatform = new Map<string, number>();
  private queuedBytes = 0;
  private inFlight = 0;
  private eventsInFlight = 0;
  private scheduled = false;
  private gathering: NodeJS.Timeout | undefined;
  private idle: (() => void)[] = [];

  constructor(
    private readonly carrier: BatchCarrier,
    private readonly onBatch: (report: BatchReport) => void,
    private readonly limits: BatchLimits = batchLimits,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Sends an event with the next batch. Never rejects: an event that cannot be sent gets an error response for the partner.
   */
  send(event: BatchedEvent, { receivedMs, burst }: EventArrival): Promise<BatchedAnswer> {
    const queued = this.queuedByPlatform.get(event.platform) ?? 0;
    const { maxQueuedBatches, maxQueuedBytes } = this.limits;
    // Never fewer than the burst: the platform's rate has just admitted them, and requests that it admits together arrive together.
    const maxQueued = Math.max(burst, maxQueuedBatches * maxBatchOf(burst));
    if (queued >= maxQueued || this.queuedBytes + event.body.length > maxQueuedBytes)
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

  /** Resolves when nothing waits and nothing is in flight. */
  async drained(): Promise<void> {
    if (this.queue.length === 0 && this.inFlight === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (!this.canLeave()) return;
    if (this.queue.length * 2 * this.inFlight < this.eventsInFlight) this.gather();
    else this.scheduleNow();
  }

  /** Whether a batch could leave; it may be better to wait for more events. */
  private canLeave(): boolean {
    return !this.scheduled && this.queue.length > 0 && this.inFlight < this.carrier.maxInFlight();
  }

  /** Few events wait: they leave when there are more of them, when a batch is answered, or after `gatherMs`. */
  private gather(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      if (this.canLeave()) this.scheduleNow();
    }, this.limits.gatherMs);
  }

  private scheduleNow(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.scheduled = true;
    // After this tick's socket events, so that all events of one tick share a batch.
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.nextBatch();
      if (batch.length > 0) void this.carry(batch);
      // Events that did not fit into this batch have waited already.
      if (this.canLeave()) this.scheduleNow();
    });
  }

  /** Takes the first waiting event and those that fit with it; the others stay in order. Expired events get their response. */
  private nextBatch(): Waiting[] {
    const nowMs = this.nowMs();
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    let urgency: number | undefined;
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
      urgency ??= urgencyOf(timeLeftMs);
      if (urgencyOf(timeLeftMs) !== urgency) {
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
    if (batch.length === 0) this.notifyIdle();
    return batch;
  }

  private release({ platform, body }: BatchedEvent): void {
    const queued = (this.queuedByPlatform.get(platform) ?? 1) - 1;
    if (queued === 0) this.queuedByPlatform.delete(platform);
    else this.queuedByPlatform.set(platform, queued);
    this.queuedBytes -= body.length;
  }

  private async carry(batch: Waiting[]): Promise<void> {
    this.inFlight += 1;
    this.eventsInFlight += batch.length;
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
    this.inFlight -= 1;
    this.eventsInFlight -= batch.length;
    this.onBatch({ events, answers, durationMs: this.nowMs() - startedMs, error, span });
    if (error === undefined) span?.end();
    else if (span) failSpan(span, 'the outcome is unknown');
    this.schedule();
    this.notifyIdle();
  }

  private notifyIdle(): void {
    if (this.queue.length > 0 || this.inFlight > 0) return;
    const idle = this.idle;
    this.idle = [];
    for (const resolve of idle) resolve();
  }
}

/** The remaining times of one class differ by at most a factor of two, so no event costs another more than half of its time. */
function urgencyOf(timeLeftMs: number): number {
  return Math.max(shortestUrgency, Math.floor(Math.log2(timeLeftMs)));
}

// 2^6 = 64 ms: events with less time left are one class.
const shortestUrgency = 6;

const overloaded = answerOf('overloaded');
const unavailable = answerOf('unavailable');

function answerOf(code: ErrorCode): BatchedAnswer {
  const { status, retryAfterS = 0, body } = refusalOf(code);
  return { status, retryAfterS, body };
}
