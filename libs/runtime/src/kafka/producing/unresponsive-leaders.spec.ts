import { UnresponsiveLeaders } from './unresponsive-leaders';

describe('UnresponsiveLeaders', () => {
  let nowMs = 0;
  const leaders = new UnresponsiveLeaders(() => nowMs);
  const pauseMs = (leader: number): number => {
    const startedMs = nowMs;
    while (leaders.isPaused(leader)) nowMs += 50;
    return nowMs - startedMs;
  };

  it('pause for longer after each failure, for up to three times as long as the attempt, until they respond', () => {
    const pauses = [0, 0, 0, 300, 10_000].map((tookMs) => {
      leaders.failed(3, tookMs);
      return pauseMs(3);
    });
    expect(pauses).toEqual([100, 200, 400, 900, 30_000]);
    leaders.failed(2, 10_000);
    expect(pauseMs(2)).toBe(10_000);
    leaders.failed(2, 10_000);
    expect(pauseMs(2)).toBe(20_000);
    for (let attempt = 0; attempt < 20; attempt++) leaders.failed(3, 0);
    expect([leaders.isPaused(1), pauseMs(3)]).toEqual([false, 10_000]);
    leaders.failed(3, 0);
    leaders.responded(3);
    expect(leaders.isPaused(3)).toBe(false);
    leaders.failed(3, 0);
    expect(pauseMs(3)).toBe(100);
  });
});
