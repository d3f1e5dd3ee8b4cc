import { setTimeout as sleep } from 'node:timers/promises';
import { SmoothedTime } from './smoothed-time';
import { TurnQueue } from './turn-queue';

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

/** A rest after slow work, milliseconds; longer ones would hold up other background work, and the end of the process. */
const longestRestMs = 1_000;

/** After so long without an undisturbed batch a rest lasts long enough for two, and at least so long, milliseconds. */
const refreshMs = 3_000;
const refreshRestMs = 150;

/** Whoever has waited so long, seconds, gets a growing part of the time, however slow batches are: all due at once settle in 120 s. */
const late = { fromS: 30, untilS: 100, share: 0.75 } as const;

/** Whether background work ran when the batch began, or was about to begin. */
type KindOfBatch = 'disturbed' | 'undisturbed' | 'between';

/** What it needs of time; replaced by specs. */
interface Clock {
  /** Milliseconds of any origin. */
  now(): number;
  /** Ends early when the signal is aborted. */
  rest(ms: number, signal?: AbortSignal): Promise<unknown>;
}

const realClock: Clock = {
  now: () => performance.now(),
  rest: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/** What a piece of background work tells of itself. */
interface TurnOptions {
  /** How long users have waited for it, seconds; without it the work may take any time. */
  readonly waitedS?: () => number;
  /** Ends the waiting for its turn and its rest. */
  readonly signal?: AbortSignal;
}

/**
 * Gives background work the time that batches of events leave. Batches that were applied while none ran show how quick they
 * are; while the others are hardly slower, background work gets a growing part of the time, and quickly less when they are.
 * The pieces of background work run one at a time, and each is followed by a rest. While users have waited for long for one
 * of them, the others wait behind it.
 */
export class LivePace {
  private readonly undisturbed = new SmoothedTime();
  private readonly disturbed = new SmoothedTime();
  private readonly seen = { disturbed: 0, batchAt: -Infinity, undisturbedAt: -Infinity };
  private part: number = share.first;
  private isWorking = false;
  /** When the next piece of work begins at the earliest. */
  private restsUntil = -Infinity;
  private inFlight = 0;
  private readonly queue = new TurnQueue();

  constructor(private readonly clock: Clock = realClock) {}

  /** The part of the time that background work gets, from 0 to 1. */
  get shareOfTime(): number {
    return this.hasEvents() ? this.part : idleShare;
  }

  /** Applies a batch of events and observes how long it takes. */
  async batch<T>(apply: () => Promise<T>): Promise<T> {
    const startedAt = this.clock.now();
    const kind = this.kindOfBatch(startedAt);
    this.inFlight++;
    try {
      const result = await apply();
      this.learn(kind, startedAt);
      return result;
    } finally {
      // Failing batches are events too.
      this.inFlight--;
      this.seen.batchAt = this.clock.now();
    }
  }

  /**
   * Runs a piece of background work when those before it have ended and rested, and then rests. Resolves with its result, and
   * with 0 when it was aborted before its turn.
   */
  turn(work: () => Promise<number>, { waitedS = () => 0, signal }: TurnOptions = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        if (signal?.aborted) return resolve(0);
        try {
          const { value, ms } = await this.work(work);
          resolve(value);
          await this.rest(this.restAfter(ms, waitedS()), signal);
        } catch (error) {
          reject(error as Error);
        }
      };
      this.queue.add({ run, isUrgent: () => isLate(waitedS()) });
    });
  }

  /**
   * Decided when the batch begins, because a slow batch meets background work more often than a quick one. Nothing is learned
   * from one that begins shortly before background work.
   */
  private kindOfBatch(now: number): KindOfBatch {
    if (this.isWorking) return 'disturbed';
    const restMs = this.restsUntil - now;
    // Half of the longest rest is enough: otherwise nothing would be learned where batches seem to take longer than any rest.
    return restMs > 0 && restMs < Math.min(this.undisturbed.upperMs, longestRestMs / 2) ? 'between' : 'undisturbed';
  }

  private learn(kind: KindOfBatch, startedAt: number): void {
    if (kind === 'between') return;
    const now = this.clock.now();
    this[kind].add(now - startedAt);
    if (kind === 'disturbed') this.seen.disturbed++;
    else this.seen.undisturbedAt = now;
  }

  private async work(work: () => Promise<number>): Promise<{ value: number; ms: number }> {
    const startedAt = this.clock.now();
    this.isWorking = true;
    try {
      return { value: await work(), ms: this.clock.now() - startedAt };
    } finally {
      this.isWorking = false;
    }
  }

  private rest(ms: number, signal?: AbortSignal): Promise<unknown> {
    this.restsUntil = this.clock.now() + ms;
    return this.clock.rest(ms, signal);
  }

  private restAfter(ms: number, waitedS: number): number {
    if (this.seen.disturbed >= batchesPerStep) this.adapt();
    const part = Math.max(this.shareOfTime, leastShare(waitedS));
    const restMs = Math.min(longestRestMs, (ms * (1 - part)) / part);
    const isStale = this.hasEvents() && this.clock.now() - this.seen.undisturbedAt > refreshMs;
    // Whoever has waited for long gets the part whatever batches show.
    return isStale && !isLate(waitedS) ? Math.max(restMs, this.refreshRestMs()) : restMs;
  }

  private refreshRestMs(): number {
    return Math.min(longestRestMs, Math.max(refreshRestMs, 2 * this.undisturbed.upperMs));
  }

  private hasEvents(): boolean {
    return this.inFlight > 0 || this.clock.now() - this.seen.batchAt < idleMs;
  }

  private adapt(): void {
    this.seen.disturbed = 0;
    const allowedMs = Math.max(quickMs, allowedSlowdown * this.undisturbed.upperMs);
    const isSlow = this.disturbed.upperMs > allowedMs;
    this.part = isSlow ? Math.max(share.least, this.part * share.down) : Math.min(share.most, this.part + share.up);
  }
}

function isLate(waitedS: number): boolean {
  return waitedS > late.fromS;
}

function leastShare(waitedS: number): number {
  const lateness = (waitedS - late.fromS) / (late.untilS - late.fromS);
  return late.share * Math.min(1, Math.max(0, lateness));
}
