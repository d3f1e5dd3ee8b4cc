import { parseFromTime } from './time-options';

describe('the option --from-time', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T14:00:00.250+02:00', '2026-01-31T12:00:00.250Z'],
  ])('%s is a time', (text, time) => {
    expect(new Date(parseFromTime(text)).toISOString()).toBe(time);
  });

  it.each([
    ...['2026-01-31T12:00:00', '2026-01-31T12:00', '2026-01-31', '1767225600', 'yesterday'],
    ...['2026-13-31T12:00:00Z', '2026-02-30T12:00:00Z', '2026-02-30T12:00Z'],
  ])('%s is refused: it is no time, or has no zone', (text) =>
    expect(() => parseFromTime(text)).toThrow('must be a time with its zone, such as 2026-01-31T12:00:00Z'),
  );

  it('is refused when it lies in the future', () => {
    const text = new Date(Date.now() + 60_000).toISOString();
    expect(() => parseFromTime(text)).toThrow('must not be in the future');
  });
});
