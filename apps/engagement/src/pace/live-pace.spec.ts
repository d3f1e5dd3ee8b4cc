import { LivePace } from './live-pace';

/** A clock that only batches, work and rests move. */
class GivenClock {
  ms = 0;
  readonly rests: number[] = [];
  now = (): number => this.ms;
  rest = async (ms: number): Promise<void> => {
    this.rests.push(ms);
    const end = this.ms + ms;
    while (this.duringRests && this.ms < end) await this.duringRests();
    this.ms = Math.max(this.ms, end);
  };
  duringRests: (() => Promise<void>) | undefined;
}

const nothing = (): Promise<number> => Promise.resolve(0);

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
      const during = async (): Promise<number> => {
        const startedAt = clock.ms;
        for (let each = 0; each < batches; each++) {
          clock.ms = startedAt;
          await batch(batchMs);
        }
        clock.ms = startedAt + 40;
        return 1;
      };
      await pace.turn(during, { waitedS: () => waitedS });
      // Begins after the rest.
      await pace.turn(nothing);
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

  it('learns how quick batches are while they have no gaps, also after one that was slow', async () => {
    await batch(2_000);
    clock.duringRests = () => batch(100);
    for (let turn = 0; turn < 200; turn++)
      await pace.turn(async () => {
        for (let each = 0; each < 4; each++) await batch(400);
        return 1;
      });
    expect(pace.shareOfTime).toBeCloseTo(0.2);
  });

  it('holds back for batches that last for long, and for those that fail', async () => {
    let end = (): void => undefined;
    const slow = pace.batch(() => new Promise<void>((resolve) => (end = resolve)));
    clock.ms += 60_000;
    expect(pace.shareOfTime).toBeLessThan(0.5);
    end();
    await slow;
    clock.ms += 60_000;
    expect(pace.shareOfTime).toBeGreaterThan(0.8);
    await expect(pace.batch(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(pace.shareOfTime).toBeLessThan(0.5);
  });

  it('gives those who have waited for long their part also while other work is waiting', async () => {
    const spent = { late: 0, other: 0 };
    const repeat = async (name: keyof typeof spent, waitedS: number): Promise<void> => {
      const work = async (): Promise<number> => {
        await batch(40);
        spent[name] += 40;
        return 1;
      };
      while (clock.ms < 100_000) await pace.turn(work, { waitedS: () => waitedS });
    };
    await Promise.all([repeat('other', 0), repeat('other', 0), repeat('late', 105)]);
    expect(spent.late / clock.ms).toBeGreaterThan(0.7);
    expect(spent.other).toBeLessThan(200);
  });

  it('begins nothing that was aborted, and does not rest for it', async () => {
    const abort = new AbortController();
    const begun: string[] = [];
    const turns = ['first', 'second'].map((name) =>
      pace.turn(
        async () => {
          begun.push(name);
          abort.abort();
          return 1;
        },
        { signal: abort.signal },
      ),
    );
    expect(await Promise.all(turns)).toEqual([1, 0]);
    expect(begun).toEqual(['first']);
  });

  it('ends a rest that is aborted', async () => {
    const abort = new AbortController();
    const real = new LivePace();
    await real.batch(() => Promise.resolve());
    await real.turn(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return 1;
      },
      { signal: abort.signal },
    );
    // The rest after such work lasts a second.
    const abortedAt = performance.now();
    abort.abort();
    await real.turn(nothing);
    expect(performance.now() - abortedAt).toBeLessThan(900);
  });

  it('rests for a second at most, however long the work was', async () => {
    await batch(20);
    await pace.turn(async () => (clock.ms += 1_500));
    await batch(20);
    await pace.turn(nothing);
    expect(clock.rests[0]).toBe(1_000);
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
