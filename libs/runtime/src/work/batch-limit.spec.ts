import * as fc from 'fast-check';
import { BatchLimit } from './batch-limit';

/** Tries until `done` records succeeded, where more than `capacity` at once fail; returns the number of failed tries. */
function failuresOf(limit: BatchLimit, capacity: number, done: number): number {
  let failures = 0;
  for (let left = done; left > 0;) {
    const tried = Math.min(left, limit.current);
    if (tried > capacity) {
      failures++;
      limit.shrink(tried, 'size');
      continue;
    }
    left -= tried;
    limit.grow(tried);
  }
  return failures;
}

describe('BatchLimit', () => {
  it('is halved by each failure down to one', () => {
    const limit = new BatchLimit(500);
    const seen = Array.from({ length: 10 }, () => {
      limit.shrink(limit.current, 'size');
      return limit.current;
    });
    expect(seen).toEqual([250, 125, 62, 31, 15, 7, 3, 1, 1, 1]);
  });

  it('is halved from the number tried, which may be below the limit', () => {
    const limit = new BatchLimit(500);
    limit.shrink(40, 'other');
    expect(limit.current).toBe(20);
  });

  it('doubles again after a failure that says nothing about size', () => {
    const limit = new BatchLimit(8);
    for (const tried of [8, 4, 2]) limit.shrink(tried, 'other');
    const seen = Array.from({ length: 4 }, () => {
      limit.grow(limit.current);
      return limit.current;
    });
    expect(seen).toEqual([2, 4, 8, 8]);
  });

  it('does not grow after a try below it', () => {
    const limit = new BatchLimit(500);
    limit.shrink(500, 'size');
    limit.grow(249);
    expect(limit.current).toBe(250);
  });

  it('does not oscillate around the capacity while it lasts', () => {
    const limit = new BatchLimit(500);
    failuresOf(limit, 300, 10_000);
    // About 240 records a try: one in thirteen tries fails where doubling would fail every other time.
    expect(failuresOf(limit, 300, 60_000)).toBeLessThan(25);
  });

  it('processes everything at any capacity, and recovers fully afterwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }), (max, capacity) => {
        const limit = new BatchLimit(max);
        failuresOf(limit, capacity, 20_000);
        for (let tries = 0; tries < 400; tries++) limit.grow(limit.current);
        expect(limit.current).toBe(max);
      }),
    );
  });
});
