import { setTimeout as sleep } from 'node:timers/promises';
import { SmoothedTime } from './smoothed-time';

/** Background work may make batches so many times as slow as they are without it. */
const allowedSlowdown = 1.6;

/** Batches that are quicker than this are quick enough, milliseconds. */
const quickMs = 30;

/** Parts of the time for which background work runs: at most a half while events arrive, so that batches have time to catch up. */
const share = { first: 0.3, least: 0.2, most: 0.5, up: 0.02, down: 0.85 } as const;

/** Batches after which the share is set again. */
const batchesPerStep = 8;

/** The part while no events arrive. */
const idleShare = 0.9;

/** After so long without a batch no events arrive, milliseconds. */
const idleMs = 2_000;

/** After so long without an undisturbed batch a rest lasts long enough for some, milliseconds. */
const refreshMs = 3_000;
const refreshRestMs = 150;

/** Whoever has waited so long, seconds, gets a growing part of the time, however slow batches are: all due at once settle in 120 s. */
const late = { fromS: 30, untilS: 100, share: 0.75 } as const;

/** What it needs of time; replaced by specs. */
interface Clock {
  /** Milliseconds of any origin. */
  now(): number;
  rest(ms: number): Promise<unknown>;
}

const realClock: Clock = { now: () => performance.now(), rest: (ms) => sleep(ms) };

/**
 * Gives background work the time that batches of events leave. Batches that were applied while none ran show how quick they
 * are; while the others are hardly slower, background work gets a growing part of the time, and quickly less when they are.
 * The pieces of background work run one at a time, and each is followed by a rest.
 */
export class LivePace {
  private readonly undisturbed = new SmoothedTime();
  private readonly disturbed = new SmoothedTime();
  private readonly seen = { disturbed: 0, batchAt: -Infinity, undisturbedAt: -Infinity };
  private part: number = share.first;
  private isWorking = false;
  /** When the next piece of work begins at the earliest. */
  private restsUntil = -Infinity;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clock: Clock = realClock) {}

  /** The part of the time that background work gets, from 0 to 1. */
  get shareOfTime(): number {
    return this.hasEvents() ? this.part : idleShare;
  }

  /** Applies a batch of events and observes how long it takes. */
  async batch<T>(apply: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    const kind = this.kindOfBatch(startedAt);
    const result = await apply();
    const endedAt = this.clock.now();
    this.seen.batchAt = endedAt;
    if (kind === 'between') return result;
    this[kind].add(endedAt - startedAt);
    if (kind === 'disturbed') this.seen.disturbed++;
    else this.seen.undisturbedAt = endedAt;
    return result;
  }

  /**
   * Runs a piece of background work when those before it have ended and rested, and then rests. `waitedS` tells after the work
   * how long users have waited for it, seconds; 0 for work that may take any time.
   */
  turn<T>(work: () => Promise<T>, waitedS: () => number = () => 0): Promise<T> {
    const result = this.last.then(() => this.work(work));
    this.last = result.then(
      ({ ms }) => this.rest(this.restAfter(ms, waitedS())),
      () => undefined,
    );
    return result.then(({ value }) => value);
  }

  /**
   * Decided when the batch begins, because a slow batch meets background work more often than a quick one. Nothing is learned
   * from one that begins shortly before background work.
   */
  private kindOfBatch(now: number): 'disturbed' | 'undisturbed' | 'between' {
    if (this.isWorking) return 'disturbed';
    const restMs = this.restsUntil - now;
    return restMs > 0 && restMs < this.undisturbed.upperMs ? 'between' : 'undisturbed';
  }

  private async work<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
    const startedAt = this.clock.now();
    this.isWorking = true;
    try {
      return { value: await work(), ms: this.clock.now() - startedAt };
    } finally {
      this.isWorking = false;
    }
  }

  private rest(ms: number): Promise<unknown> {
    this.restsUntil = this.clock.now() + ms;
    return this.clock.rest(ms);
  }

  private restAfter(ms: number, waitedS: number): number {
    if (this.seen.disturbed >= batchesPerStep) this.adapt();
    const part = Math.max(this.shareOfTime, leastShare(waitedS));
    const restMs = (ms * (1 - part)) / part;
    const isStale = this.hasEvents() && this.clock.now() - this.seen.undisturbedAt > refreshMs;
    return isStale ? Math.max(restMs, refreshRestMs) : restMs;
  }

  private hasEvents(): boolean {
    return this.clock.now() - this.seen.batchAt < idleMs;
  }

  private adapt(): void {
    this.seen.disturbed = 0;
    const allowedMs = Math.max(quickMs, allowedSlowdown * this.undisturbed.upperMs);
    const isSlow = this.disturbed.upperMs > allowedMs;
    this.part = isSlow ? Math.max(share.least, this.part * share.down) : Math.min(share.most, this.part + share.up);
  }
}

function leastShare(waitedS: number): number {
  const lateness = (waitedS - late.fromS) / (late.untilS - late.fromS);
  return late.share * Math.min(1, Math.max(0, lateness));
}
