/** Failures of a user alone, one after the other, before the user goes aside: a database is slow now and then. */
const failuresAlone = 3;

/** How long a user stays aside, milliseconds. */
const asideMs = 10 * 60_000;

/**
 * Users whose definitions cannot be settled although nobody else is in the round. They wait, so that all others who are due do
 * not wait behind them; what is due for them stays due, and shows by how late it is.
 */
export class UsersAside {
  private readonly untilMs = new Map<number, number>();
  private failing: { readonly userRef: number; failures: number } | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A round of this user alone failed; returns whether the user is aside now. */
  failedAlone(userRef: number): boolean {
    if (this.failing?.userRef !== userRef) this.failing = { userRef, failures: 0 };
    if (++this.failing.failures < failuresAlone) return false;
    this.failing = undefined;
    this.untilMs.set(userRef, this.now() + asideMs);
    return true;
  }

  /** Those who are aside now. */
  list(): number[] {
    for (const [userRef, untilMs] of this.untilMs) if (untilMs <= this.now()) this.untilMs.delete(userRef);
    return [...this.untilMs.keys()];
  }
}
