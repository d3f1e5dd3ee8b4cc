import { DateTime } from 'luxon';
import { isZone } from '../evaluation/calendar';
import { malformed } from './body-problems';

/** The zone of a definition; UTC when it is left out. */
export function checkZone(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isZoneName(value))
    throw malformed('zone', 'must be the IANA name of a time zone, for example Europe/Riga');
  return value;
}

/**
 * Whether a zone allows windows of hours: whether its offset is always in whole hours. Each month of 2000 to 2049 is tried, so
 * that every rule is met.
 */
export function daysBeginOnUtcHours(zone: string): boolean {
  if (zone === 'UTC') return true;
  for (let month = 0; month < 600; month++) {
    const at = DateTime.fromMillis(Date.UTC(2000, month, 1), { zone });
    if (at.offset % 60 !== 0) return false;
  }
  return true;
}

/** Names with rules of their own, in their usual case: not `UTC+2`, `local` or `europe/riga`. */
function isZoneName(name: string): boolean {
  if (name === 'UTC') return true;
  if (name.length > 64 || !/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)+$/.test(name) || !isZone(name)) return false;
  const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  return known === name || known.toLowerCase() !== name.toLowerCase();
}
