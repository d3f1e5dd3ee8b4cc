/**
 * How long a round holds the locks of its users, milliseconds. Events of these users, and all events behind them in their
 * partitions, wait so long.
 */
const roundMs = 80;

/** Part of a round's time for which nothing is done after it, so that batches of events get processor time and connections. */
const restPart = 0.1;

const firstUsers = 100;

/** Sizes rounds by the time that they take. */
export class DuePace {
  private size = firstUsers;

  /** Users of the next round; at least 1. */
  get users(): number {
    return this.size;
  }

  /** Call after a round with the number of its users; returns how long to rest, milliseconds. */
  took(users: number, ms: number): number {
    const fitting = (users * roundMs) / Math.max(ms, 1);
    // A round below the size may grow it only by what it has shown; one measurement at most halves or doubles it.
    if (users >= this.size || fitting < this.size)
      this.size = Math.max(1, Math.round(Math.min(this.size * 2, Math.max(this.size / 2, fitting))));
    return ms * restPart;
  }
}
