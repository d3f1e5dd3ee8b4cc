import type { BatchTurn } from '@podium/runtime/kafka';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseWindow } from './pause-window';
import type { ReportedReads } from './read-latencies.store';

/** Changes may slow reads down by this factor; beyond it the pace falls. */
const slowdownMax = 1.5;
/** The pace with which changes begin when reads appear. */
const firstPace = 0.25;
/** Changes always get this share of the time, whatever the latency of reads is. */
const paceMin = 0.2;
const fall = 0.75;
const rise = 0.05;
/** Records of a batch at full pace. */
const maxRecords = 500;

/** A batch that took long, such as one that waited for a lock, must not be followed by a pause of minutes. */
const restMaxMs = 1_000;

/** Time for the pacer; specs replace it. */
export interface PacerClock {
  /** Unix milliseconds. */
  now(): number;
  sleep(durationMs: number): Promise<unknown>;
}

const realClock: PacerClock = { now: () => Date.now(), sleep };

/**
 * Gives reads priority over changes. While reads are served, by any instance, batches run one at a time, and the pace
 * decides their size and the share of the time that they get. The pace rises by steps while reads are hardly slower than
 * without changes, and falls by a factor when they are. Without reads there is no limit.
 */
export class ChangePacer {
  private pace = firstPace;
  private isReading = false;
  /** A turn was taken since the last adjustment. */
  private isUsed = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clock: PacerClock = realClock) {}

  /** Takes what the instances with reads report; call it at a fixed interval. */
  adjust({ instances, slowdown }: ReportedReads): void {
    const { isReading: wasReading, isUsed: wasUsed } = this;
    this.isReading = instances > 0;
    this.isUsed = false;
    if (!this.isReading) return;
    if (!wasReading) this.pace = firstPace;
    // A pace that nothing used has not been tried: it neither rises nor falls.
    if (!wasReading || !wasUsed || slowdown === null) return;
    this.pace = slowdown > slowdownMax ? Math.max(paceMin, this.pace * fall) : Math.min(1, this.pace + rise);
  }

  /** The share of the time for changes, from 0 to 1; 1 without reads. */
  share(): number {
    return this.isReading ? this.pace : 1;
  }

  /** Waits until the next batch of changes may begin. */
  async takeTurn(): Promise<BatchTurn> {
    this.isUsed = true;
    if (!this.isReading) return { maxRecords: Infinity, end: () => undefined };
    const before = this.last;
    let end: () => void = () => undefined;
    let beganAtMs = 0;
    this.last = new Promise((resolve) => {
      end = () => {
        const tookMs = this.clock.now() - beganAtMs;
        resolve(this.clock.sleep(Math.min(restMaxMs, tookMs * (1 / this.share() - 1))));
      };
    });
    await before;
    const pausedMs = pauseWindow.remainingMs(this.clock.now());
    if (pausedMs > 0) await this.clock.sleep(pausedMs);
    beganAtMs = this.clock.now();
    return { maxRecords: Math.round(maxRecords * this.share()), end };
  }
}
