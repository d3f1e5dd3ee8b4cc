import { UserEventData } from '@podium/messages';
import { EventApplier } from '../event-applier';
import { CpuReading, LoadObserver } from './observer';

/** Most events of a batch. */
const maxBatch = 500;

/** How long events took, from their arrival until their batch was committed, milliseconds. */
export interface LiveFigures {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of the whole load in that time. */
  readonly seconds: number;
  readonly cpuS: CpuReading;
}

/** How events arrive before and during the measured work. */
export interface Arrivals {
  readonly perS: number;
  /** Partitions that are applied at the same time. */
  readonly lanes: number;
  /** How long events arrive before those that are measured, seconds: code and caches are cold. */
  readonly warmUpS: number;
  /** How long events are measured before the work begins, seconds. */
  readonly beforeS: number;
  /** Pause of background work between two checks of what is due; in production 500. */
  readonly duePollMs: number;
}

interface Waiting {
  readonly data: UserEventData;
  /** Of `performance.now()`. */
  readonly arrivedAt: number;
}

/**
 * Events that arrive at a constant rate, whether or not those before are applied. Each partition applies what has arrived in
 * one batch, as a consumer does. The partition of an event is that of its user.
 */
export class LiveEvents {
  private readonly queues: Waiting[][];
  private readonly wakes: (() => void)[] = [];
  private latencies: number[] = [];
  private isEnding = false;
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<unknown> = Promise.resolve();
  private startedAt = 0;
  private arrived = 0;
  private takenAt = 0;
  private takenCpu: CpuReading = {};

  /** `next` makes the next event, with the partition of its user. */
  constructor(
    private readonly applier: EventApplier,
    private readonly load: Arrivals,
    private readonly next: () => { readonly lane: number; readonly data: UserEventData },
    private readonly observer: LoadObserver,
  ) {
    this.queues = Array.from({ length: load.lanes }, () => []);
  }

  start(): void {
    this.startedAt = performance.now();
    this.timer = setInterval(() => this.arrive(), 1000 / this.load.perS);
    this.work = Promise.all(this.queues.map((queue, lane) => this.apply(queue, lane)));
    // Reported by `stop`.
    this.work.catch(() => undefined);
  }

  /** The figures of the events that were applied since the last call. */
  takeFigures(): LiveFigures {
    const sorted = this.latencies.sort((a, b) => a - b);
    this.latencies = [];
    const at = (part: number): number => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
    const [before, cpu, now] = [this.takenCpu, this.observer.readCpu(), performance.now()];
    const seconds = (now - this.takenAt) / 1000;
    [this.takenCpu, this.takenAt] = [cpu, now];
    const cpuS = Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, used - (before[name] ?? 0)]));
    return { events: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), seconds, cpuS };
  }

  /** No more events arrive; resolves when those that have are applied. Rejects when a batch failed. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.isEnding = true;
    for (const wake of this.wakes) wake?.();
    await this.work;
  }

  /** A timer that fires late, because the process was busy, brings all events of that time with the times of their arrival. */
  private arrive(): void {
    const everyMs = 1000 / this.load.perS;
    for (; this.startedAt + this.arrived * everyMs <= performance.now(); this.arrived++) {
      const { lane, data } = this.next();
      this.queues[lane].push({ data, arrivedAt: this.startedAt + this.arrived * everyMs });
      this.wakes[lane]?.();
    }
  }

  private async apply(queue: Waiting[], lane: number): Promise<void> {
    while (queue.length > 0 || !this.isEnding) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => (this.wakes[lane] = resolve));
        continue;
      }
      const batch = queue.splice(0, maxBatch);
      await this.applier.apply(
        lane,
        batch.map(({ data }) => data),
      );
      const committedAt = performance.now();
      for (const { arrivedAt } of batch) this.latencies.push(committedAt - arrivedAt);
    }
  }
}
