/**
 * How long a round holds the locks of its users, milliseconds, because their events wait so long with all events behind them;
 * and the part of a round's time for which nothing is done after it, so that batches of events get processor time.
 */
const calm = { roundMs: 40, restPart: 0.25 };

/** Of larger rounds, each user costs less. */
const late = { roundMs: 80, restPart: 0.1 };

/** Users who have waited longer are late, seconds: all who fall due at one instant have to be settled in 120. */
const lateAfterS = 30;

/** Few, because the first round of a new version computes histories that others only read. */
const firstUsers = 20;

/** Sizes rounds by the time that they take. */
export class DuePace {
  private size = firstUsers;

  /** Users of the next round; at least 1. */
  get users(): number {
    return this.size;
  }

  /**
   * Call after a round with the number of its users, its time, and how long the first users have waited, seconds. Returns how
   * long to rest, milliseconds.
   */
  took(users: number, ms: number, waitedS: number): number {
    const { roundMs, restPart } = waitedS > lateAfterS ? late : calm;
    const fitting = (users * roundMs) / Math.max(ms, 1);
    // A round below the size may grow it only by what it has shown; one measurement at most halves or doubles it.
    if (users >= this.size || fitting < this.size)
      this.size = Math.max(1, Math.round(Math.min(this.size * 2, Math.max(this.size / 2, fitting))));
    return ms * restPart;
  }
}
