/** Pauses of a leader, milliseconds: doubled after each failure. */
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * A pause is at least as long as the attempt, twice as long after the second failure, and then so many times as long. A
 * leader that was silent for seconds is asked again soon, and one that stays silent takes a quarter of the time at most.
 */
const mostAttemptTimes = 3;

interface Pause {
  readonly failures: number;
  readonly untilMs: number;
}

/**
 * Brokers that lead partitions and do not respond to this client, although others may reach them. An attempt delays what
 * is sent beside it, so each attempt is followed by a pause.
 */
export class UnresponsiveLeaders {
  private readonly pauses = new Map<number, Pause>();

  constructor(private readonly now: () => number) {}

  /** Whether nothing should be sent to a broker at present. */
  isPaused(leader: number): boolean {
    const pause = this.pauses.get(leader);
    return pause !== undefined && pause.untilMs > this.now();
  }

  /** A broker has not responded to an attempt that took this long. */
  failed(leader: number, tookMs: number): void {
    const failures = this.pauses.get(leader)?.failures ?? 0;
    const attemptTimes = Math.min(mostAttemptTimes, failures + 1);
    const pauseMs = Math.max(attemptTimes * tookMs, Math.min(longestPauseMs, firstPauseMs * 2 ** failures));
    this.pauses.set(leader, { failures: failures + 1, untilMs: this.now() + pauseMs });
  }

  /** A broker has responded. */
  responded(leader: number): void {
    this.pauses.delete(leader);
  }
}
