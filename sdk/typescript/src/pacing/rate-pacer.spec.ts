import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { JumpingClock } from '../../test/jumping-clock';
import { RatePacer } from './rate-pacer';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('RatePacer', () => {
  it('sends a burst below the rate at once, then one event per interval', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    const at: number[] = [];
    for (let sent = 0; sent < 400; sent++) {
      await pacer.take(1);
      at.push(clock.nowMs());
    }
    expect(at.filter((ms) => ms === 0)).toHaveLength(36);
    // In no window there is more than the server's rate and burst allow.
    const excess = at.map((startMs, first) =>
      Math.max(...at.slice(first).map((ms, n) => n + 1 - (ms - startMs) * 0.04)),
    );
    expect(Math.max(...excess)).toBeLessThanOrEqual(40);
    // The rate is used, too.
    expect(at[399]).toBeCloseTo((400 - 36) * 25, 0);
  });

  it('spaces batches by their events, also those larger than the burst', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    for (let batch = 0; batch < 5; batch++) await pacer.take(40);
    expect(clock.nowMs()).toBeCloseTo((200 - 36) * 25, 0);
  });

  it('follows the rate of answers', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    pacer.learn({ 'ratelimit-limit': '100, 100;w=1', 'ratelimit-remaining': '100' });
    for (let sent = 0; sent < 190; sent++) await pacer.take(1);
    expect(clock.nowMs()).toBeCloseTo(1000, 0);
  });

  it('counts what other processes of the platform send', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    pacer.learn({ 'ratelimit-limit': '40, 40;w=1', 'ratelimit-remaining': '0' });
    await pacer.take(1);
    expect(clock.nowMs()).toBeCloseTo(25, 0);
  });

  it('gives back places that the server has not counted, and none that it has', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    await pacer.take(36);
    pacer.giveBack(36);
    await pacer.take(36);
    expect(clock.nowMs()).toBe(0);
    pacer.learn({ 'ratelimit-limit': '40, 40;w=1', 'ratelimit-remaining': '16' });
    pacer.giveBack(36);
    for (let sent = 0; sent < 16; sent++) await pacer.take(1);
    expect(clock.nowMs()).toBe(0);
    await pacer.take(1);
    expect(clock.nowMs()).toBeCloseTo(25, 0);
  });

  it.each([
    [40, '20, 20;w=1', 20],
    [0.1, 'none', 1],
    [12.5, 'none', 12],
  ])('takes at most the events of a second at once: %d, then %s', (initial, header, expected) => {
    const pacer = new RatePacer(new JumpingClock(), initial);
    pacer.learn({ 'ratelimit-limit': header });
    expect(pacer.mostAtOnce).toBe(expected);
  });

  it('ignores headers that are no numbers', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    for (const value of ['', 'x', '-1', '0']) pacer.learn({ 'ratelimit-limit': value });
    pacer.learn({ 'ratelimit-remaining': 'none' });
    for (let sent = 0; sent < 36; sent++) await pacer.take(1);
    expect(clock.nowMs()).toBe(0);
  });

  it('sends nothing until Retry-After is over, also what was waiting', async () => {
    const clock = new JumpingClock();
    const pacer = new RatePacer(clock, 40);
    const waiting = pacer.take(40);
    pacer.block(7_000);
    await waiting;
    expect(clock.nowMs()).toBeGreaterThanOrEqual(7_000);
  });

  it('gives the places of callers that give up to those that wait', async () => {
    const waits: number[] = [];
    let nowMs = 0;
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      waits.push(ms);
      if (signal) return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      nowMs += ms;
      return Promise.resolve();
    };
    const pacer = new RatePacer({ nowMs: () => nowMs, sleep }, 40);
    await pacer.take(36);
    const callers = Array.from({ length: 1_000 }, () => new AbortController());
    const given = callers.map(({ signal }) => pacer.take(1, signal));
    const patient = pacer.take(1);
    await turn();
    for (const caller of callers) caller.abort();
    await Promise.all(given);
    await patient;
    expect(waits).toEqual([25, 25]);
  });

  it('keeps nothing of callers that gave up while the first one waits', async () => {
    let endWait = (): void => undefined;
    const sleep = (): Promise<void> => new Promise((resolve) => (endWait = resolve));
    let nowMs = 0;
    const pacer = new RatePacer({ nowMs: () => nowMs, sleep }, 1);
    pacer.block(3_600_000);
    const first = pacer.take(1);
    const giveUp = async (): Promise<WeakRef<AbortSignal>> => {
      const caller = new AbortController();
      const taking = pacer.take(1, caller.signal);
      caller.abort();
      await taking;
      return new WeakRef(caller.signal);
    };
    const gaveUp: WeakRef<AbortSignal>[] = [];
    for (let call = 0; call < 100; call++) gaveUp.push(await giveUp());
    // A reference holds its target until the end of the turn.
    await turn();
    collectGarbage();
    // The machine may still have the last ones in its registers.
    expect(gaveUp.filter((signal) => signal.deref()).length).toBeLessThan(5);
    nowMs = 3_600_000;
    endWait();
    await first;
  });

  it('serves callers in the order in which they came', async () => {
    const pacer = new RatePacer(new JumpingClock(), 1);
    const served: number[] = [];
    const callers = Array.from({ length: 5 }, () => new AbortController());
    const given = callers.map(({ signal }, at) => pacer.take(1, signal).then(() => served.push(at)));
    callers[2].abort();
    await Promise.all(given);
    expect(served).toEqual([2, 0, 1, 3, 4]);
  });

  it('stops waiting at the signal', async () => {
    const pacer = new RatePacer({ nowMs: () => 0, sleep: () => Promise.resolve() }, 1);
    await pacer.take(1);
    await pacer.take(1_000, AbortSignal.abort());
  });
});
