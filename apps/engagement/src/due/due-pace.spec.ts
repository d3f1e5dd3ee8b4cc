import { DuePace } from './due-pace';

describe('DuePace', () => {
  /** The users of a round when each of them takes so long, after some rounds, and the rest after it. */
  function paceOf(msPerUser: number, pace = new DuePace()): { users: number; restMs: number } {
    let restMs = 0;
    for (let round = 0; round < 20; round++) restMs = pace.took(pace.users, pace.users * msPerUser);
    return { users: pace.users, restMs };
  }

  it('sizes rounds so that they take 80 ms, and rests for a tenth of that', () => {
    expect(paceOf(0.5)).toEqual({ users: 160, restMs: 8 });
    expect(paceOf(8)).toEqual({ users: 10, restMs: 8 });
  });

  it('evaluates one user at a time when each takes longer', () => {
    expect(paceOf(1_000).users).toBe(1);
  });

  it('recovers when rounds become quick again', () => {
    const pace = new DuePace();
    paceOf(1_000, pace);
    expect(paceOf(0.5, pace).users).toBe(160);
  });

  it('halves the size at most for one slow round, and does not raise it for a small one', () => {
    const pace = new DuePace();
    pace.took(pace.users, 60_000);
    expect(pace.users).toBe(50);
    pace.took(3, 1);
    expect(pace.users).toBe(50);
  });
});
