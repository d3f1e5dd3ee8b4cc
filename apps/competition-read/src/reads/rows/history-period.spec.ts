import { monthBefore } from './history-period';

describe('a month before', () => {
  it.each([
    ['2026-02-15T10:20:30Z', '2026-01-15T10:20:30Z'],
    ['2026-01-31T00:00:00Z', '2025-12-31T00:00:00Z'],
    ['2026-03-31T12:00:00Z', '2026-02-28T12:00:00Z'],
    ['2028-03-30T12:00:00Z', '2028-02-29T12:00:00Z'],
    ['2026-05-31T23:59:59Z', '2026-04-30T23:59:59Z'],
  ])('%s is %s', (now, before) => {
    expect(monthBefore(Date.parse(now))).toBe(Date.parse(before) / 1000);
  });
});
