import { connectionsMax } from './partner-http';

/** Requests to one partner that wait for others to end; with those in progress as many as all waits on slow partners. */
export const waitingMax = 96;

/**
 * Limits the requests to one partner that are in progress, to one for each connection. Further ones wait for their turn for a
 * short time, the first come first.
 */
export class RequestSlots {
  private used = 0;
  private readonly waiting = new Set<() => void>();

  /** Takes a slot, which `leave` returns; false when none is free within `waitMs`, or too many requests wait already. */
  async enter(waitMs: number): Promise<boolean> {
    if (this.used < connectionsMax) {
      this.used++;
      return true;
    }
    if (this.waiting.size >= waitingMax) return false;
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(take);
        resolve(false);
      }, waitMs);
      this.waiting.add(take);
    });
  }

  /** Passes the slot on to the request that has waited longest. */
  leave(): void {
    const [next] = this.waiting;
    if (next === undefined) return void this.used--;
    this.waiting.delete(next);
    next();
  }
}
