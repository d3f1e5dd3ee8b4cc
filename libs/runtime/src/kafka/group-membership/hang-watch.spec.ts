import { HangWatch } from './hang-watch';

describe('a client hangs', () => {
  let nowMs: number;
  let sinceMs: number;
  let probe: () => Promise<ReadonlyMap<string, boolean>>;
  let probed: number;

  const watchOf = (): HangWatch =>
    new HangWatch({
      topics: ['t'],
      patienceMs: 60_000,
      now: () => nowMs,
      probe: {
        brokerAnswers: () => {
          probed++;
          return probe();
        },
      },
    });

  /** Checks every 5 s until the time, and returns the result of the last check. */
  async function lookUntil(watch: HangWatch, untilMs: number): Promise<number | null> {
    let said: number | null = null;
    const fetches = { silenceMs: () => nowMs - sinceMs };
    for (; nowMs < untilMs; nowMs += 5_000) said = await watch.check(fetches);
    return said;
  }

  beforeEach(() => {
    nowMs = 0;
    sinceMs = 0;
    probed = 0;
    probe = () => Promise.resolve(new Map([['1', true]]));
  });

  it('when its fetches have no response for 60 s while the brokers respond to others', async () => {
    const watch = watchOf();
    expect(await lookUntil(watch, 60_000)).toBeNull();
    expect(await lookUntil(watch, 61_000)).toBe(60_000);
  });

  it('not while the brokers are unavailable, and only 45 s after they are back', async () => {
    const watch = watchOf();
    probe = () => Promise.reject(new Error('away'));
    expect(await lookUntil(watch, 300_000)).toBeNull();
    probe = () => Promise.resolve(new Map([['1', true]]));
    expect(await lookUntil(watch, 345_000)).toBeNull();
    expect(await lookUntil(watch, 350_000)).toBe(345_000);
  });

  it('not when the brokers were unavailable meanwhile: it begins again when they are back', async () => {
    const watch = watchOf();
    const answering = probe;
    await lookUntil(watch, 40_000);
    probe = () => Promise.reject(new Error('away'));
    await lookUntil(watch, 50_000);
    probe = answering;
    expect(await lookUntil(watch, 95_000)).toBeNull();
    expect(await lookUntil(watch, 100_000)).toBe(95_000);
  });

  it('not when a response came meanwhile; brokers are not probed while there are responses', async () => {
    const watch = watchOf();
    await lookUntil(watch, 15_000);
    expect(probed).toBe(0);
    await lookUntil(watch, 50_000);
    sinceMs = nowMs;
    expect(await lookUntil(watch, 105_000)).toBeNull();
  });
});
