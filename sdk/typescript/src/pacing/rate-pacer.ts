import type { Clock } from './clock';

/** Rate headers of an answer: draft-ietf-httpapi-ratelimit-headers-06. */
export type RateHeaders = Readonly<Partial<Record<string, string | string[]>>>;

/** A burst below the server's: requests that the network delays and bunches together still fit. */
const burstShare = 0.9;

/**
 * Spaces events so that the platform's rate is used and not exceeded. It starts at a given rate and follows the headers of
 * answers, which also count what other processes of the platform send.
 */
export class RatePacer {
  private perSecond: number;
  /** When the bucket would be full again if nothing more were taken (GCRA). */
  private fullAtMs = 0;
  /** The same by the server's last answer alone. */
  private learnedFullAtMs = 0;
  private blockedUntilMs = 0;
  /** Whether a caller is first in the line. */
  private hasFirst = false;
  /** Those behind it, each of whom becomes the first one by a call. */
  private readonly line = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    eventsPerSecond: number,
  ) {
    this.perSecond = eventsPerSecond;
  }

  /** Most events of one batch request at this rate: the server's burst is as large as its rate, and it takes no larger batch. */
  get mostAtOnce(): number {
    return Math.max(1, Math.floor(this.perSecond));
  }

  /**
   * Takes the place of a number of events; resolves when they may be sent, or when the signal is aborted. Callers wait in a
   * line: one that is aborted leaves it, so that callers who give up soon never use up the rate of those who wait.
   */
  async take(events: number, signal?: AbortSignal): Promise<void> {
    if (!(await this.comesFirst(signal))) return;
    try {
      await this.takePlace(events, signal);
    } finally {
      this.leaveToNext();
    }
  }

  /** Resolves when the caller is the first in the line; with false when the signal is aborted before, which leaves nothing of it. */
  private comesFirst(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (!this.hasFirst) {
      this.hasFirst = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        this.line.delete(start);
        resolve(false);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      this.line.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private leaveToNext(): void {
    const next = this.line.values().next();
    this.hasFirst = !next.done;
    if (next.done) return;
    this.line.delete(next.value);
    next.value();
  }

  /** Of the first caller in the line. */
  private async takePlace(events: number, signal?: AbortSignal): Promise<void> {
    this.fullAtMs = Math.max(this.fullAtMs, this.clock.nowMs()) + events * this.intervalMs();
    const freeAtMs = this.fullAtMs - this.burst() * this.intervalMs();
    for (;;) {
      if (signal?.aborted) return this.giveBack(events);
      const waitMs = Math.max(freeAtMs, this.blockedUntilMs) - this.clock.nowMs();
      if (waitMs <= 0) return;
      await this.clock.sleep(waitMs, signal);
    }
  }

  /** Gives places back that the server has not counted: the events go on as other requests. */
  giveBack(events: number): void {
    this.fullAtMs = Math.max(this.learnedFullAtMs, this.fullAtMs - events * this.intervalMs());
  }

  /** Takes over the rate and what is left of it from an answer. */
  learn(headers: RateHeaders): void {
    const limit = Number.parseFloat(String(headers['ratelimit-limit']));
    if (limit > 0 && Number.isFinite(limit)) this.perSecond = limit;
    const left = Number.parseFloat(String(headers['ratelimit-remaining']));
    if (!(left >= 0)) return;
    const used = Math.max(0, this.burst() - left);
    this.learnedFullAtMs = this.clock.nowMs() + used * this.intervalMs();
    this.fullAtMs = Math.max(this.fullAtMs, this.learnedFullAtMs);
  }

  /** Nothing is sent for a time, because the rate was exceeded. */
  block(ms: number): void {
    this.blockedUntilMs = Math.max(this.blockedUntilMs, this.clock.nowMs() + ms);
  }

  private burst(): number {
    return Math.max(1, Math.floor(this.perSecond * burstShare));
  }

  private intervalMs(): number {
    return 1000 / this.perSecond;
  }
}
