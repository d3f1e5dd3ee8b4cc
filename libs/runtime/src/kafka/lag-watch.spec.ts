import { PartitionLag } from './kafka-metrics';
import { DeliveryProgress, LagWatch } from './lag-watch';

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
        bounds: async () => ends.map((high) => ({ low, high })),
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

  it('says nothing before it knows, and no lag for partitions on which nothing comes', async () => {
    expect(ages()).toEqual({});
    await watch.look();
    nowMs += 60_000;
    await watch.look();
    expect(ages()).toEqual({ 0: [0, 0], 1: [0, 0] });
  });

  it('grows in records and seconds although nothing is delivered', async () => {
    await watch.look();
    ends = [13n, 20n];
    await watch.look();
    nowMs += 30_000;
    ends = [15n, 20n];
    await watch.look();
    expect(ages()).toEqual({ 0: [5, 30], 1: [0, 0] });
  });

  it('takes the time of the waiting record where a delivery stands at one', async () => {
    await watch.look();
    progress.set(0, { position: 10n, end: 12n, waitingTimestampMs: nowMs - 5_000 });
    expect(ages()[0]).toEqual([2, 5]);
    nowMs += 10_000;
    expect(ages()[0]).toEqual([2, 15]);
    progress.set(0, { position: 12n, end: 12n });
    expect(ages()[0]).toEqual([0, 0]);
  });

  it('is not old although something always waits, as long as it moves', async () => {
    for (let turn = 0n; turn < 10n; turn++) {
      progress.set(0, { position: 10n + turn, end: 10n + turn });
      ends = [11n + turn, 20n];
      await watch.look();
      nowMs += 5_000;
    }
    expect(ages()[0]).toEqual([1, 5]);
  });

  it('counts a group that never committed, or not for long, from what is kept', async () => {
    low = 4n;
    committed = [-1n, 2n];
    await watch.look();
    expect(ages()).toEqual({ 0: [6, 0], 1: [16, 0] });
  });

  it('forgets at an assignment: another member may have read on meanwhile', async () => {
    committed = [0n, 0n];
    await watch.look();
    watch.assign({ topic: [1] });
    expect(ages()).toEqual({});
    committed = [0n, 20n];
    await watch.look();
    expect(ages()).toEqual({ 1: [0, 0] });
  });
});
