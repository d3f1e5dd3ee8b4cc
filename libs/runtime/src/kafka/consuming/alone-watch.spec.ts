import { AloneWatch } from './alone-watch';

describe('AloneWatch', () => {
  let nowMs: number;
  let successes: number;
  let watch: AloneWatch;

  beforeEach(() => {
    nowMs = 0;
    successes = 0;
    watch = new AloneWatch({ patienceMs: 1_000, successesElsewhere: () => successes, now: () => nowMs });
  });

  it('blames a record that fails for the patience while others succeed', () => {
    expect(watch.failed(7n)).toBe(false);
    successes = 5;
    nowMs = 999;
    expect(watch.failed(7n)).toBe(false);
    successes = 6;
    nowMs = 1_000;
    expect(watch.failed(7n)).toBe(true);
  });

  it('never blames a record while everything fails, however long', () => {
    watch.failed(7n);
    for (let tries = 0; tries < 100; tries++) {
      nowMs += 60_000;
      expect(watch.failed(7n)).toBe(false);
    }
  });

  it('counts successes since the last attempt only', () => {
    watch.failed(7n);
    successes = 100;
    nowMs = 500;
    watch.failed(7n);
    nowMs = 5_000;
    expect(watch.failed(7n)).toBe(false);
  });

  it('starts over with another record, and when the partition continues', () => {
    watch.failed(7n);
    successes = 1;
    nowMs = 2_000;
    expect(watch.failed(8n)).toBe(false);
    watch.clear();
    successes = 2;
    nowMs = 4_000;
    expect(watch.failed(8n)).toBe(false);
  });
});
