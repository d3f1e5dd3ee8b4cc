import { CodedError } from '@podium/messages';

/** A day of a cursor such as `2026-01-31`; throws `invalid_request` for anything else, which Postgres would refuse. */
export function dayOfCursor(text: string): string {
  const midnight = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === text;
  // Postgres has no year 0.
  if (isDay && !text.startsWith('0000')) return text;
  throw new CodedError('invalid_request', {
    message: 'cursor: invalid; send next_cursor of the previous page, unchanged',
  });
}
