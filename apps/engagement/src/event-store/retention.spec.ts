import { monthOf, retentionCutoff } from './retention';

describe('retention of repeatable events', () => {
  it.each([
    ['2026-11-20T12:00:00.000Z', '2026-05-20T12:00:00Z'],
    ['2026-03-05T00:00:00.000Z', '2025-09-05T00:00:00Z'],
    // February has no 31st: its last day.
    ['2026-08-31T10:00:00.000Z', '2026-02-28T10:00:00Z'],
    ['2028-08-31T10:00:00.000Z', '2028-02-29T10:00:00Z'],
    // A part of a second rounds up: what is stored is never past it.
    ['2026-11-20T12:00:00.001Z', '2026-05-20T12:00:01Z'],
  ])('at %s goes back to %s', (now, cutoff) => {
    expect(retentionCutoff(Date.parse(now))).toBe(Date.parse(cutoff) / 1000);
  });

  it('uses months in UTC', () => {
    expect(monthOf(Date.parse('2026-10-31T23:59:59Z') / 1000)).toBe(202610);
    expect(monthOf(Date.parse('2026-11-01T00:00:00Z') / 1000)).toBe(202611);
    expect(monthOf(0)).toBe(197001);
  });
});
