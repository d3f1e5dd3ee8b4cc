import { UsersAside } from './users-aside';

describe('UsersAside', () => {
  it('sets aside a user who fails alone three times in a row, for ten minutes', () => {
    let nowMs = 0;
    const aside = new UsersAside(() => nowMs);
    expect([aside.failedAlone(7), aside.failedAlone(7), aside.list()]).toEqual([false, false, []]);
    expect([aside.failedAlone(7), aside.list()]).toEqual([true, [7]]);
    nowMs = 10 * 60_000 - 1;
    expect(aside.list()).toEqual([7]);
    nowMs++;
    expect(aside.list()).toEqual([]);
    expect(aside.failedAlone(7)).toBe(false);
  });

  it('restarts the count when another user fails', () => {
    const aside = new UsersAside();
    aside.failedAlone(7);
    aside.failedAlone(7);
    aside.failedAlone(8);
    expect([aside.failedAlone(7), aside.failedAlone(8), aside.list()]).toEqual([false, false, []]);
  });
});
