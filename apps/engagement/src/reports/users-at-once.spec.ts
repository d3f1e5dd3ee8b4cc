import { firstThatFit, inTurns } from './users-at-once';

describe('users at once', () => {
  it('are the first that fit together, with all sizes of each', () => {
    const sizes = [
      [1, 40],
      [2, 30],
      [1, 20],
      [3, 10],
      [4, 1],
    ] as const;
    expect(firstThatFit([1, 2, 3, 4], sizes, 101)).toEqual([1, 2, 3, 4]);
    expect(firstThatFit([1, 2, 3, 4], sizes, 100)).toEqual([1, 2, 3]);
    expect(firstThatFit([1, 2, 3, 4], sizes, 89)).toEqual([1]);
    expect(firstThatFit([2, 5, 6], sizes, 30)).toEqual([2, 5, 6]);
  });

  it('are at least one, however large', () => {
    expect(
      firstThatFit(
        [1, 2],
        [
          [1, 100],
          [2, 0],
        ],
        10,
      ),
    ).toEqual([1]);
    expect(firstThatFit([], [], 10)).toEqual([]);
  });

  it.each([
    ['slow', 7, [2, 4, 6, 8]],
    ['quick', 1, []],
  ])('give other work its turn by time: %s ones', async (_, tookMs, turns) => {
    let nowMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const computed: number[] = [];
    const seen = new Set<number>();
    let isOver = false;
    const otherWork = (): void => {
      seen.add(computed.length);
      if (!isOver) setImmediate(otherWork);
    };
    const others = new Promise<void>((resolve) => setImmediate(() => resolve(otherWork())));
    const results = await inTurns([1, 2, 3, 4, 5, 6, 7, 8, 9], (user) => {
      nowMs += tookMs;
      computed.push(user);
      return user * 2;
    });
    isOver = true;
    await others;
    clock.mockRestore();
    expect(results).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect([...seen].filter((count) => count > 0 && count < 9)).toEqual(turns);
  });
});
