import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HistoryEvent } from '../src/evaluation/history';
import { StoredHistory } from '../src/history/stored-history';

/** Counts the decoded events of histories that the process holds; garbage is collected where there may be more than the bound. */
export class HeldEvents {
  /** The most that were held at once; up to the bound, what is garbage may be among them. */
  most = 0;
  /** All that were decoded. */
  decoded = 0;
  private readonly seen = new WeakSet<StoredHistory>();
  private readonly original = Object.getOwnPropertyDescriptor(StoredHistory.prototype, 'events')!;
  private histories: WeakRef<StoredHistory>[] = [];
  private held = 0;

  private constructor(private readonly bound: number) {}

  static count(bound: number): HeldEvents {
    const held = new HeldEvents(bound);
    Object.defineProperty(StoredHistory.prototype, 'events', {
      ...held.original,
      get(this: StoredHistory) {
        const events = held.eventsOf(this);
        if (events.length > 0) held.note(this, events.length);
        return events;
      },
    });
    return held;
  }

  stop(): void {
    Object.defineProperty(StoredHistory.prototype, 'events', this.original);
  }

  private note(history: StoredHistory, events: number): void {
    if (this.seen.has(history)) return;
    this.seen.add(history);
    this.histories.push(new WeakRef(history));
    this.decoded += events;
    this.held += events;
    if (this.held > this.bound) this.countLiving();
    this.most = Math.max(this.most, this.held);
  }

  private countLiving(): void {
    collectGarbage();
    const living = this.histories.flatMap((each) => each.deref() ?? []);
    this.histories = living.map((each) => new WeakRef(each));
    this.held = living.reduce((sum, each) => sum + this.eventsOf(each).length, 0);
  }

  private eventsOf(history: StoredHistory): HistoryEvent[] {
    return this.original.get!.call(history) as HistoryEvent[];
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
