import { inRounds } from './in-rounds';
import { LivePace } from './live-pace';

describe('background work in rounds', () => {
  it('has half the users after a round that failed, although the limit is far above them', async () => {
    const sizes: number[] = [];
    const clock = { now: () => 0, rest: () => Promise.resolve() };
    const run = inRounds(new LivePace(clock), (users) => {
      sizes.push(users);
      return users > 3 ? Promise.reject(new Error('canceling statement due to statement timeout')) : Promise.resolve(0);
    });
    // As the task halves its limit.
    for (const limit of [500, 250, 125, 62]) await run(limit).catch(() => undefined);
    expect(sizes).toEqual([20, 10, 5, 2]);
  });
});
