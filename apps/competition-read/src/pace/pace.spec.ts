import { ChangePacer } from './change-pacer';
import { pauseWindow } from './pause-window';
import { ReadSlowdown } from './read-slowdown';

const reading = (slowdown: number | null) => ({ instances: 1, slowdown });
const noReads = { instances: 0, slowdown: null };
/** A time outside of the pause window. */
const outsideMs = 5_000;

describe('the pace of changes', () => {
  let nowMs: number;
  let slept: number[];
  let changes: ChangePacer;

  beforeEach(() => {
    nowMs = outsideMs;
    slept = [];
    changes = new ChangePacer({
      now: () => nowMs,
      sleep: async (durationMs) => void slept.push(durationMs),
    });
  });

  /** One batch of this duration; returns how many records it might have had. */
  async function batch(tookMs = 0): Promise<number> {
    const { maxRecords, end } = await changes.takeTurn();
    nowMs += tookMs;
    end();
    return maxRecords;
  }

  async function adjustTimes(times: number, slowdown: number): Promise<void> {
    for (let done = 0; done < times; done++) {
      await batch();
      changes.adjust(reading(slowdown));
    }
  }

  it('is unlimited and concurrent while no instance serves reads', async () => {
    const turns = await Promise.all([changes.takeTurn(), changes.takeTurn()]);
    expect(turns.map(({ maxRecords }) => maxRecords)).toEqual([Infinity, Infinity]);
    changes.adjust(noReads);
    expect(changes.share()).toBe(1);
    expect(slept).toEqual([]);
  });

  it('is a quarter when reads begin, one batch at a time, and unlimited again when they end', async () => {
    changes.adjust(reading(null));
    const first = await changes.takeTurn();
    expect(first.maxRecords).toBe(125);
    let hasSecond = false;
    const second = changes.takeTurn().then((turn) => {
      hasSecond = true;
      return turn;
    });
    await new Promise(setImmediate);
    expect(hasSecond).toBe(false);
    first.end();
    (await second).end();
    changes.adjust(noReads);
    expect(await batch()).toBe(Infinity);
  });

  it('leaves reads the rest of the time', async () => {
    changes.adjust(reading(null));
    await batch(40);
    await batch();
    expect(slept[0]).toBe(120);
  });

  it('never rests for longer than a second, however long a batch took', async () => {
    changes.adjust(reading(null));
    await batch(60_000 + 100);
    expect(slept).toEqual([1_000]);
  });

  it('rises to all of the time while reads are not slower', async () => {
    changes.adjust(reading(null));
    await adjustTimes(4, 1.1);
    expect(changes.share()).toBeCloseTo(0.45);
    await adjustTimes(20, 1.4);
    expect(changes.share()).toBe(1);
    expect(await batch()).toBe(500);
  });

  it('falls while reads are slower, but never to nothing', async () => {
    changes.adjust(reading(null));
    await adjustTimes(20, 1);
    await adjustTimes(1, 1.6);
    expect(changes.share()).toBeCloseTo(0.75);
    await adjustTimes(50, 30);
    expect(changes.share()).toBe(0.2);
    expect(await batch()).toBe(100);
  });

  it('does not change while nothing uses it, or while the slowdown is unknown', async () => {
    changes.adjust(reading(null));
    for (let times = 0; times < 10; times++) changes.adjust(reading(1));
    expect(changes.share()).toBe(0.25);
    await batch();
    changes.adjust(reading(null));
    expect(changes.share()).toBe(0.25);
  });

  it('waits in the pause window while reads are served', async () => {
    nowMs = 20_100;
    await batch();
    expect(slept).toEqual([]);
    changes.adjust(reading(null));
    await batch();
    expect(slept[0]).toBe(500);
  });
});

describe('the pause window', () => {
  it('is the beginning of every ten seconds, and is measured after the last batches have ended', () => {
    expect([30_000, 30_599, 30_600, 39_999].map((ms) => pauseWindow.remainingMs(ms))).toEqual([600, 1, 0, 0]);
    expect([30_000, 30_199, 30_200, 30_599, 30_600, 39_999].map((ms) => pauseWindow.phase(ms))).toEqual([
      ...['neither', 'neither', 'paused', 'paused', 'applying', 'applying'],
    ]);
  });
});

describe('the slowdown of reads', () => {
  const addTimes = (slowdown: ReadSlowdown, times: number, beganAtMs: number, latencyMs: number): void => {
    for (let done = 0; done < times; done++) slowdown.add(beganAtMs, latencyMs);
  };

  it('is unknown until both latencies are', () => {
    const slowdown = new ReadSlowdown();
    addTimes(slowdown, 100, 35_000, 4);
    addTimes(slowdown, 100, 30_000, 100);
    expect(slowdown.current()).toBeUndefined();
    addTimes(slowdown, 10, 30_300, 2);
    expect(slowdown.current()).toBe(2);
  });

  it('follows the newest measurements and ignores single slow ones', () => {
    const slowdown = new ReadSlowdown();
    addTimes(slowdown, 20, 30_300, 2);
    addTimes(slowdown, 80, 35_000, 2);
    addTimes(slowdown, 15, 35_500, 500);
    expect(slowdown.current()).toBe(1);
    addTimes(slowdown, 80, 36_000, 6);
    expect(slowdown.current()).toBe(3);
  });
});
