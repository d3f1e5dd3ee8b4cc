import type { EncodedEvent } from '../api/partner-event';
import type { DamagedRecord, EventQueue, QueuedEvent } from '../queue/event-queue';
import type { SetAsideEvents } from './set-aside';

/** Limits of one request. */
export interface BatchLimits {
  /** May change with the rate. */
  readonly maxEvents: () => number;
  readonly maxBytes: number;
}

interface Delayed {
  readonly queued: QueuedEvent;
  readonly dueAtMs: number;
}

/** Events that are delayed with their content; while there are more, the queue is not read on. */
const maxDelayed = 1_000;

/** Of a batch, while others wait: tries of what was set aside must not use up the rate. */
const shareOfTries = 0.25;

/** Events that were read from the queue and may be sent now or soon. */
export class EventsInHand {
  private ready: QueuedEvent[] = [];
  /** To be sent whatever is set aside: tries of it, and events whose delay is over. */
  private urgent: QueuedEvent[] = [];
  private delayed: Delayed[] = [];
  /** Failed while nothing was sent: each try is another event, so that one of them cannot keep the others. */
  private readonly last: QueuedEvent[] = [];
  private readonly attempts = new Map<string, number>();

  constructor(
    private readonly queue: Pick<EventQueue, 'next' | 'hasNext' | 'readAt'>,
    private readonly setAside: SetAsideEvents,
    private readonly limits: BatchLimits,
  ) {}

  get size(): number {
    return this.urgent.length + this.ready.length + this.delayed.length + this.last.length;
  }

  /** Reads on until a batch is ready or the queue is empty. Events of users or names that are set aside join them. */
  async fill(nowMs: number): Promise<readonly DamagedRecord[]> {
    const maxEvents = this.limits.maxEvents();
    const damaged: DamagedRecord[] = [];
    const tries = this.setAside.due(nowMs, Math.max(1, Math.floor(maxEvents * shareOfTries)));
    const tried = await this.queue.readAt(tries.map(({ position }) => position));
    const readable = new Set(tried.events.map(({ position }) => position));
    this.setAside.begin(tries.filter(({ position }) => readable.has(position)));
    this.setAside.drop(tries.filter(({ position }) => !readable.has(position)));
    damaged.push(...tried.damaged);
    this.urgent.push(...tried.events);
    const hasRoom = (): boolean => this.delayed.length + this.last.length < maxDelayed;
    while (this.ready.length < maxEvents && hasRoom() && this.queue.hasNext) {
      const next = await this.queue.next();
      damaged.push(...next.damaged);
      for (const queued of next.events) if (!this.setAside.join(queued.event, queued.position)) this.ready.push(queued);
    }
    return damaged;
  }

  /** Takes the next batch: events whose delay is over come first, those that were put behind the others last. */
  take(nowMs: number, maxEvents = this.limits.maxEvents()): QueuedEvent[] {
    const due = this.delayed.filter(({ dueAtMs }) => dueAtMs <= nowMs);
    this.delayed = this.delayed.filter(({ dueAtMs }) => dueAtMs > nowMs);
    this.urgent.push(...due.map(({ queued }) => queued));
    // Since they were read, their user or name may have been set aside.
    this.ready = this.ready.filter(({ event, position }) => !this.setAside.join(event, position));
    const batch: QueuedEvent[] = [];
    for (const source of [this.urgent, this.ready, this.last]) {
      const bytes = batch.reduce((sum, { event }) => sum + bytesOf(event), 0);
      batch.push(...this.fitting(source, maxEvents - batch.length, bytes));
      if (source.length > 0) break;
    }
    return batch;
  }

  /** Events are sent again at a time. */
  retryAt(events: readonly QueuedEvent[], dueAtMs: number): void {
    for (const queued of events) this.delayed.push({ queued, dueAtMs });
  }

  /** An event is sent again after all others. */
  putLast(queued: QueuedEvent): void {
    this.last.push(queued);
  }

  /** How often an event has failed before this time. */
  countAttempt({ id }: EncodedEvent): number {
    const before = this.attempts.get(id) ?? 0;
    this.attempts.set(id, before + 1);
    return before;
  }

  /** An event is no longer in hand. */
  forget({ id }: EncodedEvent): void {
    this.attempts.delete(id);
  }

  /** Removes the first events of a list that fit into a batch with a number of bytes. */
  private fitting(events: QueuedEvent[], maxEvents: number, bytesBefore: number): QueuedEvent[] {
    let count = 0;
    for (let bytes = bytesBefore; count < Math.min(events.length, maxEvents); count++) {
      bytes += bytesOf(events[count].event);
      if (bytes > this.limits.maxBytes && bytes > bytesOf(events[count].event)) break;
    }
    return events.splice(0, count);
  }

  /** When the next delay is over; undefined when none is. */
  nextDueMs(): number | undefined {
    return this.delayed.reduce<number | undefined>(
      (next, { dueAtMs }) => (next === undefined || dueAtMs < next ? dueAtMs : next),
      undefined,
    );
  }
}

/** Bytes of an event in a batch, with the comma before it. */
function bytesOf({ body }: EncodedEvent): number {
  return Buffer.byteLength(body) + 1;
}
