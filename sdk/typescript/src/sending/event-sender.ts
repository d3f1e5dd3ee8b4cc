import type { EventResult, FailedEvent } from '../api/parse-answer';
import { EncodedEvent, platformOf } from '../api/partner-event';
import type { PodiumError } from '../errors/podium-error';
import type { NoticeListener } from '../notices/notice';
import type { Clock } from '../pacing/clock';
import type { DeadLetter } from '../queue/dead-letter-file';
import type { EventQueue, QueuedEvent } from '../queue/event-queue';
import type { Position } from '../queue/segment';
import { retryDelayMs } from './backoff';
import { BatchLimits, EventsInHand } from './events-in-hand';
import { SetAsideEvents, SetAsideReason } from './set-aside';

/** What the sender works with. */
export interface EventSenderOptions {
  readonly queue: Pick<EventQueue, 'next' | 'hasNext' | 'readAt' | 'release' | 'done' | 'tidy'>;
  readonly deadLetters: { write(letters: readonly DeadLetter[]): Promise<void> };
  /** One result per event, in order; never rejects. */
  readonly send: (events: readonly EncodedEvent[], signal: AbortSignal) => Promise<readonly EventResult[]>;
  /** That of the client. */
  readonly platform: string;
  readonly limits: BatchLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly notify: NoticeListener;
}

/**
 * While nothing can be sent, one event is tried after this time: a new key works without a restart. It counts for a
 * Retry-After of 0 too, which proxies send: nobody corrects a key in no time.
 */
const pausedTryMs = 300_000;
const tidyEveryMs = 30_000;
const afterDiskErrorMs = 5_000;
/** What is set aside without Retry-After, or with one of 0. */
const defaultSetAsideMs = 60_000;

/** Sends what is in the queue until each event is accepted, given up with a reason, or set aside. */
export class EventSender {
  readonly setAside: SetAsideEvents;
  readonly inHand: EventsInHand;
  private pausedBy?: PodiumError;
  private tryAtMs = 0;
  private failedRounds = 0;
  private tidiedAtMs: number;
  private tellAtMs = 0;
  private isDraining = false;
  private readonly stopped = new AbortController();
  private woken = new AbortController();
  private running?: Promise<void>;

  constructor(private readonly options: EventSenderOptions) {
    this.setAside = new SetAsideEvents(options.random);
    this.inHand = new EventsInHand(options.queue, this.setAside, options.limits);
    this.tidiedAtMs = options.clock.nowMs();
  }

  /** The error for which nothing is sent. */
  get paused(): PodiumError | undefined {
    return this.pausedBy;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Something was appended, or may be sent now. */
  wake(): void {
    this.woken.abort();
  }

  /** Ends a pause. */
  resume(): void {
    this.tryAtMs = this.options.clock.nowMs();
    this.wake();
  }

  /** Whether nothing is left that could be sent now. */
  get isDrained(): boolean {
    return this.pausedBy !== undefined || (this.inHand.size === 0 && !this.options.queue.hasNext);
  }

  /** Sends what can be sent, until nothing is left but what is set aside; or stops at the signal. */
  async drain(deadline: AbortSignal): Promise<void> {
    this.isDraining = true;
    const stop = (): void => {
      this.stopped.abort();
      this.wake();
    };
    if (deadline.aborted) stop();
    deadline.addEventListener('abort', stop, { once: true });
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      this.woken = new AbortController();
      try {
        if (!(await this.sendRound())) {
          if (this.isDraining && this.isDrained) return;
          await this.wait(this.idleMs());
        }
      } catch (error) {
        this.options.notify({ type: 'queue_failed', level: 'error', error });
        await this.wait(afterDiskErrorMs);
      }
    }
  }

  /** Sends one batch; false when nothing can be sent now. */
  private async sendRound(): Promise<boolean> {
    const { queue, clock, send } = this.options;
    const nowMs = clock.nowMs();
    if (nowMs - this.tidiedAtMs >= tidyEveryMs) {
      this.tidiedAtMs = nowMs;
      await queue.tidy(this.stopped.signal);
    }
    if (nowMs < this.tryAtMs) return false;
    const damaged = await this.inHand.fill(nowMs);
    for (const record of damaged) await this.giveUpDamaged(record.damaged, record.position);
    const batch = this.inHand.take(nowMs, this.pausedBy ? 1 : undefined);
    if (batch.length === 0) return damaged.length > 0;
    const results = await send(
      batch.map(({ event }) => event),
      this.stopped.signal,
    );
    await this.settle(batch, results);
    return true;
  }

  /** Each event goes where its result says; nothing leaves the queue before its dead letter is on disk. */
  private async settle(batch: readonly QueuedEvent[], results: readonly EventResult[]): Promise<void> {
    const finished: Position[] = [];
    const refused: DeadLetter[] = [];
    const refusals: FailedEvent[] = [];
    const isTry = this.pausedBy !== undefined;
    let isTemporary = true;
    for (const [at, queued] of batch.entries()) {
      const result = results[at];
      if (!result.ok && this.isGivenUp(queued, result.error)) {
        refusals.push(result);
        refused.push({ ...reasonOf(result.error), event: queued.event.body });
      }
    }
    const failure = await this.options.deadLetters.write(refused).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    for (const [at, queued] of batch.entries()) {
      const result = results[at];
      if (result.ok) finished.push(this.accept(queued, result));
      else if (!this.isGivenUp(queued, result.error)) this.keep(queued, result.error, isTry);
      else if (failure) this.keepRefused(queued, result.error);
      else finished.push(this.refuse(queued, result.error));
      if (result.ok || result.error.retry !== 'now') isTemporary = false;
    }
    if (!failure)
      for (const { eventId, error } of refusals)
        this.options.notify({ type: 'dead_letter', level: 'error', eventId, error });
    this.afterRound(isTemporary, results);
    if (finished.length > 0)
      await this.options.queue.done(finished).catch((error: unknown) => this.tellUnmarked(error));
    if (failure) this.options.notify({ type: 'queue_failed', level: 'error', error: failure.error });
  }

  /**
   * What was sent could not be marked as done on the disk, which may be full: this process knows it, and goes on, because only a
   * file that is done makes room. The notice comes once in a while.
   */
  private tellUnmarked(error: unknown): void {
    const nowMs = this.options.clock.nowMs();
    if (nowMs < this.tellAtMs) return;
    this.tellAtMs = nowMs + afterDiskErrorMs;
    this.options.notify({ type: 'queue_failed', level: 'error', error });
  }

  /** Whether no try can succeed, also not of an event of an earlier process that had another platform. */
  private isGivenUp({ event }: QueuedEvent, { retry, code }: PodiumError): boolean {
    return retry === 'never' || (code === 'platform_mismatch' && platformOf(event) !== this.options.platform);
  }

  /** Podium has answered for an event: key, address and integration are in order. */
  private endPause(): void {
    this.tryAtMs = this.options.clock.nowMs();
    if (!this.pausedBy) return;
    this.pausedBy = undefined;
    this.options.notify({ type: 'resumed', level: 'info' });
  }

  private accept({ event, position }: QueuedEvent, result: Extract<EventResult, { ok: true }>): Position {
    const { outcome, droppedAttributes, warnings, eventId } = result;
    this.options.queue.release(this.setAside.accepted(event));
    this.inHand.forget(event);
    this.endPause();
    const level = warnings.length > 0 ? 'warn' : 'debug';
    this.options.notify({ type: 'accepted', level, eventId, outcome, droppedAttributes, warnings });
    return position;
  }

  private refuse({ event, position }: QueuedEvent, { retry }: PodiumError): Position {
    this.setAside.forgetTry(event, 'user', 'name', 'event');
    this.inHand.forget(event);
    if (retry === 'never') this.endPause();
    return position;
  }

  /** Its dead letter cannot be written. Any number of such events may wait until it can, and they hold no other up. */
  private keepRefused({ event, position }: QueuedEvent, { retry }: PodiumError): void {
    // The try of the event itself goes on: each makes the time until the next one longer.
    this.setAside.forgetTry(event, 'user', 'name');
    this.setAside.add('event', event, position, defaultSetAsideMs, this.options.clock.nowMs());
    this.inHand.forget(event);
    if (retry === 'never') this.endPause();
  }

  private keep(queued: QueuedEvent, error: PodiumError, isTry: boolean): void {
    const { clock, notify, queue, random } = this.options;
    const nowMs = clock.nowMs();
    const { event, position } = queued;
    if (error.retry === 'pause') {
      this.inHand.putLast(queued);
      this.pause(error);
    } else if (error.retry === 'later') {
      this.endPause();
      const reason = setAsideReasonOf(error);
      // The form of an event is checked before its name, and its name before its user.
      if (reason === 'event') this.setAside.forgetTry(event, 'user', 'name');
      else this.setAside.forgetTry(event, 'event');
      if (reason === 'name') this.setAside.forgetTry(event, 'user');
      if (reason === 'user') queue.release(this.setAside.nameIsKnown(event));
      this.setAside.add(reason, event, position, error.retryAfterMs || defaultSetAsideMs, nowMs);
      this.inHand.forget(event);
      notify({ type: 'set_aside', level: 'warn', eventId: event.id, error });
    } else {
      const attempt = this.inHand.countAttempt(event);
      // While it is paused, the time until the next try is that of the round.
      if (isTry) this.inHand.putLast(queued);
      else this.inHand.retryAt([queued], nowMs + retryDelayMs(attempt, error.retryAfterMs, random));
      if (!this.stopped.signal.aborted)
        notify({ type: 'retried', level: 'info', eventId: event.id, error, attempt: attempt + 1 });
    }
  }

  private pause(error: PodiumError): void {
    const { clock, notify } = this.options;
    const nextTryInMs = error.retryAfterMs || pausedTryMs;
    this.tryAtMs = clock.nowMs() + nextTryInMs;
    // One notice per cause, not per event.
    if (this.pausedBy?.code !== error.code) notify({ type: 'paused', level: 'error', error, nextTryInMs });
    this.pausedBy = error;
  }

  /** When nothing but temporary errors came back, the service or the way to it is the cause: everything waits. */
  private afterRound(isTemporary: boolean, results: readonly EventResult[]): void {
    if (!isTemporary) {
      this.failedRounds = 0;
      return;
    }
    const retryAfterMs = Math.max(...results.map((result) => (result.ok ? 0 : (result.error.retryAfterMs ?? 0))));
    const delayMs = retryDelayMs(this.failedRounds, retryAfterMs, this.options.random);
    this.failedRounds += 1;
    this.tryAtMs = this.options.clock.nowMs() + delayMs;
  }

  private async giveUpDamaged(line: string, position: Position): Promise<void> {
    const message = 'This line of the queue is not what was written: the disk may have an error.';
    await this.options.deadLetters.write([{ code: 'damaged_line', message, event: line }]);
    this.options.notify({ type: 'damaged_line', level: 'error' });
    await this.options.queue.done([position]);
  }

  /** Until something is due; something appended ends it earlier. */
  private idleMs(): number {
    const nowMs = this.options.clock.nowMs();
    if (nowMs < this.tryAtMs) return Math.min(this.tryAtMs - nowMs, tidyEveryMs);
    const dueMs = Math.min(this.inHand.nextDueMs() ?? Infinity, this.setAside.nextDueMs() ?? Infinity);
    return Math.min(Math.max(dueMs - nowMs, 1), tidyEveryMs);
  }

  private async wait(ms: number): Promise<void> {
    // A process that has nothing to send may end without `close`: what is set aside is on disk.
    await this.options.clock.sleep(ms, this.woken.signal, this.isDrained);
  }
}

/** What an event that is refused until later waits for; only a missing link and a name concern other events too. */
function setAsideReasonOf({ status }: PodiumError): SetAsideReason {
  if (status === 404) return 'user';
  return status === 422 ? 'name' : 'event';
}

function reasonOf({ code, message, status, requestId, docsUrl }: PodiumError): Omit<DeadLetter, 'event'> {
  return { code, message, status, requestId, docsUrl };
}
