import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { createLog } from '../../log';
import { CatchUpBarrier } from './catch-up-barrier';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });

describe('CatchUpBarrier', () => {
  let ends: { low: bigint; high: bigint }[];
  let positions: () => (bigint | null)[];
  let timeline: string;
  let barrier: CatchUpBarrier;

  beforeEach(async () => {
    timeline = '00000001';
    ends = [
      { low: 0n, high: 10n },
      { low: 4n, high: 4n },
    ];
    barrier = new CatchUpBarrier(
      { endsWhenThere: async () => ends, close: async () => undefined },
      { load: async (_topic, partition) => positions()[partition] },
      { row: topics.links, timeline: async () => timeline, logger, pollMs: 2, timelineCheckMs: 2 },
    );
  });
  afterEach(() => barrier.stop());

  it('is passed once the table has reached the end offsets of the start; empty partitions need no position', async () => {
    let next: bigint | null = null;
    positions = () => [next, null];
    await barrier.start();
    await sleep(20);
    expect(barrier.isPassed()).toBe(false);
    next = 9n;
    await sleep(20);
    expect(barrier.isPassed()).toBe(false);
    // Records written after the start are ignored.
    ends = [{ low: 0n, high: 20n }];
    next = 10n;
    await sleep(20);
    expect(barrier.isPassed()).toBe(true);
  });

  it('keeps retrying while Postgres does not respond', async () => {
    let away = true;
    positions = () => {
      if (away) throw new Error('away');
      return [10n, null];
    };
    await barrier.start();
    await sleep(20);
    expect(barrier.isPassed()).toBe(false);
    away = false;
    await sleep(20);
    expect(barrier.isPassed()).toBe(true);
  });

  it('is passed on another timeline only when the table has reached the end offsets of that time', async () => {
    let next = 10n;
    positions = () => [next, null];
    expect(barrier.isPassedOn('00000001')).toBe(false);
    await barrier.start();
    await sleep(20);
    expect(barrier.isPassedOn('00000001')).toBe(true);

    // A promoted standby lacks the last commits; the topic has the records published before.
    timeline = '00000002';
    ends = [{ low: 0n, high: 12n }];
    next = 8n;
    expect(barrier.isPassedOn('00000002')).toBe(false);
    await sleep(20);
    next = 11n;
    await sleep(20);
    expect(barrier.isPassedOn('00000002')).toBe(false);
    next = 12n;
    await sleep(20);
    expect(barrier.isPassedOn('00000002')).toBe(true);
    // Responses of a former primary are ignored.
    expect(barrier.isPassedOn('00000001')).toBe(false);
    expect(barrier.isPassed()).toBe(true);
  });
});
