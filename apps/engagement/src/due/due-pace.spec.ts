import { DuePace } from './due-pace';

describe('DuePace', () => {
  /** The users of a round when each of them takes so long, after some rounds, and the rest after it. */
  function paceOf(msPerUser: number, { waitedS = 0, pace = new DuePace() } = {}): { users: number; restMs: number } {
    let restMs = 0;
    for (let round = 0; round < 20; round++) restMs = pace.took(pace.users, pace.users * msPerUser, waitedS);
    return { users: pace.users, restMs };
  }

  it('sizes rounds so that they take 40 ms, and rests for a quarter of that', () => {
    expect(paceOf(0.5)).toEqual({ users: 80, restMs: 10 });
    expect(paceOf(8)).toEqual({ users: 5, restMs: 10 });
  });

  it('makes rounds of 80 ms with a short rest when users have waited for more than 30 s', () => {
    expect(paceOf(0.5, { waitedS: 30 })).toEqual({ users: 80, restMs: 10 });
    expect(paceOf(0.5, { waitedS: 31 })).toEqual({ users: 160, restMs: 8 });
  });

  it('evaluates one user at a time when each takes longer', () => {
    expect(paceOf(1_000).users).toBe(1);
  });

  it('recovers when rounds become quick again', () => {
    const pace = new DuePace();
    paceOf(1_000, { pace });
    expect(paceOf(0.5, { pace }).users).toBe(80);
  });

  it('halves the size at most for one slow round, and does not raise it for a small one', () => {
    const pace = new DuePace();
    pace.took(pace.users, 60_000, 0);
    expect(pace.users).toBe(10);
    pace.took(3, 1, 0);
    expect(pace.users).toBe(10);
  });
});
