import { RoundSize } from './round-size';

describe('RoundSize', () => {
  /** The users of a round when each of them takes so long, after some rounds. */
  function usersAt(msPerUser: number, size = new RoundSize()): number {
    for (let round = 0; round < 20; round++) size.took(size.users, size.users * msPerUser);
    return size.users;
  }

  it('sizes rounds so that they take 40 ms', () => {
    expect(usersAt(0.5)).toBe(80);
    expect(usersAt(8)).toBe(5);
  });

  it('takes one user at a time when each takes longer', () => {
    expect(usersAt(1_000)).toBe(1);
  });

  it('recovers when rounds become quick again', () => {
    const size = new RoundSize();
    usersAt(1_000, size);
    expect(usersAt(0.5, size)).toBe(80);
  });

  it('halves the size at most for one slow round, and does not raise it for a small one', () => {
    const size = new RoundSize();
    size.took(size.users, 60_000);
    expect(size.users).toBe(10);
    size.took(3, 1);
    expect(size.users).toBe(10);
  });
});
