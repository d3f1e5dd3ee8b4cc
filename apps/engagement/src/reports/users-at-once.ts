/** The most events of users that are decoded at once, about 7 MB; a single user may have more. */
export const eventsAtOnce = 20_000;

/** The most bytes of packed histories that are read at once; a single user may have more. */
export const packedAtOnce = 2_000_000;

/** Users are evaluated for so long before other work of the process has its turn. */
const turnMs = 10;

/** What a user takes of what is held at once: events or bytes. */
export type SizeOfUser = readonly [userRef: number, size: number];

/** The first users whose sizes fit into memory together; at least one. A user may have several sizes, or none. */
export function firstThatFit(
  userRefs: readonly number[],
  sizes: readonly SizeOfUser[],
  most: number,
): readonly number[] {
  const sizeOf = new Map<number, number>();
  for (const [userRef, size] of sizes) sizeOf.set(userRef, (sizeOf.get(userRef) ?? 0) + size);
  let room = most;
  const tooMany = userRefs.findIndex((userRef, index) => {
    room -= sizeOf.get(userRef) ?? 0;
    return index > 0 && room < 0;
  });
  return tooMany === -1 ? userRefs : userRefs.slice(0, tooMany);
}

/** Lets other work of the process have its turn: between two of its turns lie `turnMs` and what is computed for one user. */
export class Turns {
  private beganAt = performance.now();

  /** To be called before each user. */
  async next(): Promise<void> {
    if (performance.now() - this.beganAt < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.beganAt = performance.now();
  }
}

/** Computes something for each user, in turns with other work of the process. */
export async function inTurns<User, Result>(
  users: readonly User[],
  compute: (user: User) => Result,
): Promise<Result[]> {
  const turns = new Turns();
  const results: Result[] = [];
  for (const user of users) {
    await turns.next();
    results.push(compute(user));
  }
  return results;
}
