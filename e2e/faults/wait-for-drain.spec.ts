import { RemainingWork, waitUntilDone } from './wait-for-drain';

const limits = { stillMs: 100, mostMs: 2_000, pauseMs: 10 };

function lagOf(partition: number, at: number): RemainingWork {
  return { part: `partition ${partition}`, at: `${at}`, text: `partition ${partition} at ${at}` };
}

describe('waiting for the remaining work', () => {
  it('goes on for as long as all of it moves', async () => {
    let at = 0;
    const ask = async () => (at < 50 ? [lagOf(0, at++)] : []);
    expect(await waitUntilDone(ask, limits)).toBeGreaterThan(3 * limits.stillMs);
  });

  it('fails when one consumer is stuck while others go on, and names it and what is left', async () => {
    let at = 0;
    const ask = async () => [lagOf(0, at++), lagOf(1, 7)];
    await expect(waitUntilDone(ask, limits)).rejects.toThrow(
      /^did not move for 0\.1 s: partition 1 at 7; left: partition 0 at \d+; partition 1 at 7$/,
    );
    expect(at).toBeLessThan(100);
  });

  it('is not deceived by records that arrive at a stuck consumer', async () => {
    let end = 0;
    const ask = async () => [{ ...lagOf(0, 7), text: `partition 0 at 7 of ${end++}` }];
    await expect(waitUntilDone(ask, limits)).rejects.toThrow(/^did not move for 0\.1 s: partition 0 at 7 of /);
  });

  it('counts the time of a part only while it is left', async () => {
    let asked = 0;
    // Each is seen at the same place again, after it was done in between.
    const ask = async () => (asked++ < 60 ? [lagOf(asked % 2, 7)] : []);
    expect(await waitUntilDone(ask, limits)).toBeGreaterThan(limits.stillMs);
  });

  it('fails when the servers do not answer for as long', async () => {
    const ask = () => Promise.reject(new Error('connect ECONNREFUSED'));
    await expect(waitUntilDone(ask, limits)).rejects.toThrow(/^did not move for 0\.1 s: connect ECONNREFUSED/);
  });

  it('notices a stuck consumer also when every other answer fails', async () => {
    let asked = 0;
    const ask = () => (asked++ % 2 ? Promise.reject(new Error('timeout')) : Promise.resolve([lagOf(1, 7)]));
    await expect(waitUntilDone(ask, limits)).rejects.toThrow(/^did not move for 0\.1 s: partition 1 at 7;/);
  });

  it('ends after the longest time even while it moves, and says what is left', async () => {
    let at = 0;
    const ask = async () => [lagOf(0, at++)];
    await expect(waitUntilDone(ask, { ...limits, mostMs: 300 })).rejects.toThrow(
      /^not done after 0\.3 s: partition 0 at \d+$/,
    );
  });
});
