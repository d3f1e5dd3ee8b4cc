import { LivePace } from './live-pace';

/** A clock that only batches, work and rests move. */
class GivenClock {
  ms = 0;
  readonly rests: number[] = [];
  now = (): number => this.ms;
  rest = (ms: number): Promise<void> => {
    this.rests.push(ms);
    this.ms += ms;
    return Promise.resolve();
  };
}

describe('LivePace', () => {
  let clock: GivenClock;
  let pace: LivePace;

  beforeEach(() => {
    clock = new GivenClock();
    pace = new LivePace(clock);
  });

  function batch(ms: number): Promise<void> {
    return pace.batch(async () => void (clock.ms += ms));
  }

  /** Turns of 40 ms, during each of which batches are applied that take so long, and a quick one between two turns. */
  async function turns(
    count: number,
    { batches = 4, batchMs = 0, waitedS = 0, quickMs = 20 }: Partial<Record<string, number>> = {},
  ): Promise<void> {
    for (let turn = 0; turn < count; turn++) {
      const during = async (): Promise<void> => {
        const startedAt = clock.ms;
        for (let each = 0; each < batches; each++) {
          clock.ms = startedAt;
          await batch(batchMs);
        }
        clock.ms = startedAt + 40;
      };
      await pace.turn(during, () => waitedS);
      // Begins after the rest.
      await pace.turn(() => Promise.resolve());
      if (batches > 0 && quickMs > 0) await batch(quickMs);
    }
  }

  async function quietBatches(ms: number): Promise<void> {
    for (let each = 0; each < 100; each++) await batch(ms);
  }

  it('takes most of the time while no events arrive', async () => {
    await turns(100, { batches: 0 });
    expect(pace.shareOfTime).toBeGreaterThan(0.8);
  });

  it('takes half of the time while batches are hardly slower than without it', async () => {
    await quietBatches(20);
    await turns(200, { batchMs: 22 });
    expect(pace.shareOfTime).toBeCloseTo(0.5);
  });

  it('takes little of the time while batches are much slower, and recovers', async () => {
    await quietBatches(20);
    await turns(100, { batchMs: 60 });
    expect(pace.shareOfTime).toBeCloseTo(0.2);
    await turns(200, { batchMs: 22 });
    expect(pace.shareOfTime).toBeCloseTo(0.5);
  });

  it('does not hold back for batches that are slower and still quick', async () => {
    await quietBatches(5);
    await turns(100, { batchMs: 20, quickMs: 5 });
    expect(pace.shareOfTime).toBeCloseTo(0.5);
  });

  it('gives those who have waited for long a growing part of the time, however slow batches are', async () => {
    const partAt = async (waitedS: number): Promise<number> => {
      await turns(60, { batchMs: 60, waitedS });
      await turns(1, { batchMs: 60, waitedS });
      return 40 / (40 + clock.rests.at(-2)!);
    };
    await quietBatches(20);
    expect(await partAt(10)).toBeCloseTo(0.2);
    expect(await partAt(65)).toBeCloseTo(0.375);
    expect(await partAt(105)).toBeCloseTo(0.75);
  });

  it('rests for some undisturbed batches where there were none for long', async () => {
    await quietBatches(20);
    await turns(200, { batchMs: 22, quickMs: 0 });
    expect(Math.max(...clock.rests)).toBe(150);
  });

  it('runs one piece of work at a time, after the rest of the one before, also when it fails', async () => {
    const order: string[] = [];
    const failing = pace.turn(async () => {
      order.push('first');
      await Promise.resolve();
      order.push('first fails');
      throw new Error('refused');
    });
    const second = pace.turn(async () => order.push('second'));
    await expect(failing).rejects.toThrow('refused');
    await second;
    expect(order).toEqual(['first', 'first fails', 'second']);
  });
});
