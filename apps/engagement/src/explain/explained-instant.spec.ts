import { CodedError } from '@podium/messages';
import { explainedInstant } from './explained-instant';

const now = Date.parse('2026-11-28T15:00:00.500Z');
const nowS = Math.floor(now / 1000);

describe('the instant of an explanation', () => {
  it.each([
    ['the current time with its milliseconds', new Date(now).toISOString(), nowS],
    ['a time of the current second', '2026-11-28T15:00:00.999999999Z', nowS],
    ['a time just before', '2026-11-28T14:59:59.999Z', nowS - 1],
    ['a time with an offset', '2026-11-28T17:00:00+02:00', nowS],
    ['the first one', '1970-01-01T00:00:00.5Z', 0],
  ])('is cut down to a whole second: %s', (_case, at, expected) => {
    expect(explainedInstant(at, now)).toBe(expected);
  });

  it('is now when none is given', () => {
    expect(explainedInstant(undefined, now)).toBe(nowS);
  });

  it.each([
    ['2026-11-28T15:00:01Z', 'at: must not be later than now'],
    ['1969-12-31T23:59:59.5Z', 'at: must be an ISO 8601 time'],
    ['yesterday', 'at: must be an ISO 8601 time'],
    ['2026-11-28T12:00Z', 'at: must be an ISO 8601 time with its offset, for example 2026-12-01T00:00:00Z'],
    ['1793232000', 'at: must be an ISO 8601 time'],
  ])('is refused: %s', (at, message) => {
    expect(() => explainedInstant(at, now)).toThrow(CodedError);
    expect(() => explainedInstant(at, now)).toThrow(message);
  });
});
