import { failureKindOf } from '@podium/runtime/postgres';

/** Consecutive failures of a user alone before the user is set aside; more than one, because the database may be slow. */
const failuresAlone = 3;

/** How long a user stays set aside, milliseconds. */
const asideMs = 10 * 60_000;

/**
 * Users whose definitions cannot be evaluated even in a round of their own. They are set aside, so that other users do not
 * wait for them. Their definitions stay due, which is visible in the metric of the due lag.
 */
export class UsersAside {
  private readonly untilMs = new Map<number, number>();
  private failing: { readonly userRef: number; failures: number } | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call when a round of this user alone failed; returns whether the user is now set aside. */
  failedAlone(userRef: number): boolean {
    if (this.failing?.userRef !== userRef) this.failing = { userRef, failures: 0 };
    if (++this.failing.failures < failuresAlone) return false;
    this.failing = undefined;
    this.untilMs.set(userRef, this.now() + asideMs);
    return true;
  }

  /** The users who are set aside now. */
  list(): number[] {
    for (const [userRef, untilMs] of this.untilMs) if (untilMs <= this.now()) this.untilMs.delete(userRef);
    return [...this.untilMs.keys()];
  }
}

/**
 * Does a round of work on users, which names them (rows) before it begins with them, again where a transaction is repeated. A
 * user whose rounds alone fail repeatedly is set aside; the error says so. An outage is nobody's fault.
 */
export async function inRoundOfUsers<Round>(
  aside: UsersAside,
  work: (begin: (userRefs: readonly number[]) => void) => Promise<Round>,
): Promise<Round> {
  let asked: readonly number[] = [];
  try {
    return await work((userRefs) => (asked = userRefs));
  } catch (error) {
    if (asked.length !== 1 || failureKindOf(error) === 'outage' || !aside.failedAlone(asked[0])) throw error;
    throw new Error(`the definitions of the user with row ${asked[0]} cannot be evaluated; the user is set aside`, {
      cause: error,
    });
  }
}
