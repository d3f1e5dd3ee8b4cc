import { Events } from './events';

const seed = Number(process.env.PODIUM_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('Events', () => {
  it(`gives every user whole, and to one partition (seed ${seed})`, () => {
    let state = seed;
    const upTo = (count: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * count);
    };
    for (let world = 0; world < 10; world++) {
      const [users, lanes] = [8 + upTo(493), 1 + upTo(8)];
      expect([users, lanes, ...faultsOf(users, lanes)]).toEqual([users, lanes]);
    }
  });

  it.each([
    [1002, 4],
    [2_000, 3],
    [8, 8],
  ])('gives most of %i users in %i partitions a history', (users, lanes) => {
    // One in nine has no event of a name before the measurement.
    expect(faultsOf(users, lanes)).toEqual([]);
    expect(seenBy(users, lanes).size).toBeGreaterThan(0.8 * users);
  });
});

/** Users that are none, or of several partitions. */
function faultsOf(users: number, lanes: number): string[] {
  return [...seenBy(users, lanes)].flatMap(([user, lanesOfUser]) => {
    const number = Number(user.replace('user-', ''));
    const isOne = Number.isInteger(number) && number >= 0 && number < users;
    return isOne && lanesOfUser.size === 1 ? [] : [`${user} in ${[...lanesOfUser].join(' and ')}`];
  });
}

/** The partitions in which each user has events: of the history, and afterwards. */
function seenBy(users: number, lanes: number): Map<string, Set<number>> {
  const [history, batch] = [4, 50];
  const events = new Events({ users, history, batch, lanes }, 1_700_000_000, 'event');
  const seen = new Map<string, Set<number>>();
  const note = (isHistory: boolean): void =>
    events.nextBatches(isHistory).forEach((each, lane) =>
      each.forEach(({ user_id }) => {
        seen.set(user_id, (seen.get(user_id) ?? new Set()).add(lane));
      }),
    );
  for (let left = users * history * 2; left > 0; left -= batch * lanes) note(true);
  for (let more = 0; more < 5; more++) note(false);
  return seen;
}
