/** How long a round holds the locks of its users, milliseconds: their events wait so long, with all events behind them. */
const roundMs = 40;

/** Few, because the first round of a new version computes histories that others only read. */
const firstUsers = 20;

/** Sizes rounds of background work by the time that they take. */
export class RoundSize {
  private size = firstUsers;

  /** Users of the next round; at least 1. */
  get users(): number {
    return this.size;
  }

  /** Call after a round with the number of its users and its time. */
  took(users: number, ms: number): void {
    const fitting = (users * roundMs) / Math.max(ms, 1);
    // A round below the size may grow it only by what it has shown; one measurement at most halves or doubles it.
    if (users >= this.size || fitting < this.size)
      this.size = Math.max(1, Math.round(Math.min(this.size * 2, Math.max(this.size / 2, fitting))));
  }

  /** Call after a round of at most so many users failed: work that is too large never succeeds by repetition. */
  failed(users: number): void {
    this.size = Math.max(1, Math.min(this.size, Math.floor(users / 2)));
  }
}
