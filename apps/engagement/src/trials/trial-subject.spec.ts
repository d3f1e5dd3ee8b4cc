import { requirePastDates } from './trial-subject';

const now = Date.parse('2026-11-28T15:00:00.500Z');
const nowS = Math.floor(now / 1000);
const from = nowS - 86_400;

describe('the dates of a dry run', () => {
  it('may end now, rounded up to a whole second', () => {
    expect(() => requirePastDates({ from, to: nowS + 1 }, now)).not.toThrow();
    expect(() => requirePastDates({ from, to: nowS }, nowS * 1000)).not.toThrow();
  });

  it('do not end ahead', () => {
    expect(() => requirePastDates({ from, to: nowS + 2 }, now)).toThrow('to: must not lie ahead');
    expect(() => requirePastDates({ from, to: nowS + 1 }, nowS * 1000)).toThrow('to: must not lie ahead');
  });

  it('begin at most six months back, less an hour', () => {
    const first = Date.parse('2026-05-28T16:00:01Z') / 1000;
    expect(() => requirePastDates({ from: first, to: nowS }, now)).not.toThrow();
    expect(() => requirePastDates({ from: first - 1, to: nowS }, now)).toThrow(
      'from: must not lie before 2026-05-28T16:00:01',
    );
  });
});
