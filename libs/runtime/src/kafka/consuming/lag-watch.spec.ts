import { PartitionLag } from '../metrics/consumer-gauges';
import { DeliveryProgress, LagWatch } from './lag-watch';

/** The end of a partition without a leader. */
const unknown = -1n;

describe('LagWatch', () => {
  let nowMs: number;
  let ends: bigint[];
  let low: bigint;
  let committed: bigint[];
  let progress: Map<number, DeliveryProgress>;
  let watch: LagWatch;

  beforeEach(() => {
    nowMs = 1_000_000;
    low = 0n;
    ends = [10n, 20n];
    committed = [10n, 20n];
    progress = new Map();
    watch = new LagWatch(
      'group',
      {
        knownBounds: async () => ends.map((high) => (high === unknown ? undefined : { low, high })),
        committed: async () => committed,
      },
      (_topic, partition) => progress.get(partition),
      () => nowMs,
    );
    watch.assign({ topic: [0, 1] });
  });

  const ages = (): Record<number, [number, number]> =>
    Object.fromEntries(
      [...watch.lags()].map(({ partition, records, oldestTimestampMs }: PartitionLag) => [
        partition,
        [records, oldestTimestampMs === undefined ? 0 : (nowMs - oldestTimestampMs) / 1000],
      ]),
    );

  it('reports nothing before the first check, and no lag for idle partitions', async () => {
    expect(ages()).toEqual({});
    await watch.check();
    nowMs += 60_000;
    await watch.check();
    expect(ages()).toEqual({ 0: [0, 0], 1: [0, 0] });
  });

  it('grows in records and seconds although nothing is delivered', async () => {
    await watch.check();
    ends = [13n, 20n];
    await watch.check();
    nowMs += 30_000;
    ends = [15n, 20n];
    await watch.check();
    expect(ages()).toEqual({ 0: [5, 30], 1: [0, 0] });
  });

  it('uses the timestamp of the waiting record when a delivery is paused at it', async () => {
    await watch.check();
    progress.set(0, { position: 10n, end: 12n, waitingTimestampMs: nowMs - 5_000 });
    expect(ages()[0]).toEqual([2, 5]);
    nowMs += 10_000;
    expect(ages()[0]).toEqual([2, 15]);
    progress.set(0, { position: 12n, end: 12n });
    expect(ages()[0]).toEqual([0, 0]);
  });

  it('has no growing age while the group advances, even if records always wait', async () => {
    for (let turn = 0n; turn < 10n; turn++) {
      progress.set(0, { position: 10n + turn, end: 10n + turn });
      ends = [11n + turn, 20n];
      await watch.check();
      nowMs += 5_000;
    }
    expect(ages()[0]).toEqual([1, 5]);
  });

  it('counts from the first retained offset for a group without a commit, or with an older one', async () => {
    low = 4n;
    committed = [-1n, 2n];
    await watch.check();
    expect(ages()).toEqual({ 0: [6, 0], 1: [16, 0] });
  });

  it('goes on in the other partitions while one has no leader', async () => {
    await watch.check();
    ends = [13n, unknown];
    await watch.check();
    nowMs += 30_000;
    ends = [15n, unknown];
    await watch.check();
    expect(ages()).toEqual({ 0: [5, 30], 1: [0, 0] });
  });

  it('goes on in the other topics while no leader of one responds, and checks them once at a time', async () => {
    let checks = 0;
    const broker = {
      knownBounds: async (topic: string) => {
        checks++;
        if (topic === 'away') throw new Error('no leader responds');
        return [{ low, high: ends[0] }];
      },
      committed: async () => committed,
    };
    watch = new LagWatch(
      'group',
      broker,
      () => undefined,
      () => nowMs,
    );
    watch.assign({ away: [0], topic: [0] });
    ends = [13n];
    const both = [watch.check(), watch.check()];
    for (const check of both) await expect(check).rejects.toThrow('no leader responds');
    expect(ages()).toEqual({ 0: [3, 0] });
    expect(checks).toBe(2);
    await watch.check().catch(() => undefined);
    expect(checks).toBe(4);
  });

  it('is reset at an assignment: another member may have read on meanwhile', async () => {
    committed = [0n, 0n];
    await watch.check();
    watch.assign({ topic: [1] });
    expect(ages()).toEqual({});
    committed = [0n, 20n];
    await watch.check();
    expect(ages()).toEqual({ 1: [0, 0] });
  });
});
