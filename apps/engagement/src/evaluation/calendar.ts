import { DateTime } from 'luxon';
import { LRUCache } from 'lru-cache';
import { Period } from './condition';

const dayS = 86_400;
const hourS = 3_600;

/** Offsets change at quarters of an hour at the finest, so that all seconds of a quarter have the same period. */
const quarterS = 900;

const nameFormats: Readonly<Record<Period, string>> = { day: 'yyyy-MM-dd', week: "kkkk-'W'WW", month: 'yyyy-MM' };

/** Results by their arguments: definitions ask for the same few days again and again. */
const starts = new LRUCache<string, number>({ max: 50_000 });
const names = new LRUCache<string, string>({ max: 10_000 });

/** Unix seconds at which the period that contains `atS` begins, in a zone; ISO weeks. */
export function startOf(period: Period, atS: number, zone: string): number {
  if (zone === 'UTC') return startInUtc(period, atS);
  const slot = Math.floor(atS / quarterS);
  return known(starts, `${zone} ${period} ${slot}`, () => firstSecond(period, DateTime.fromSeconds(atS, { zone })));
}

/** The start of the period that is `count` periods after the one that contains `atS`; negative counts go back. */
export function addPeriods(period: Period, atS: number, count: number, zone: string): number {
  const start = startOf(period, atS, zone);
  if (count === 0) return start;
  if (zone !== 'UTC')
    return known(starts, `${zone} ${period} ${start} ${count}`, () =>
      firstSecond(period, DateTime.fromSeconds(start, { zone }).plus({ [period]: count })),
    );
  if (period !== 'month') return start + count * (period === 'day' ? dayS : 7 * dayS);
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1) / 1000;
}

/** The name of the period that contains `atS`: `2026-11-05`, `2026-W45` or `2026-11`. */
export function periodName(period: Period, atS: number, zone: string): string {
  const start = startOf(period, atS, zone);
  return known(names, `${zone} ${period} ${start}`, () =>
    DateTime.fromSeconds(start, { zone }).toFormat(nameFormats[period]),
  );
}

/** The start of the UTC hour that contains `atS`. */
export function startOfHour(atS: number): number {
  return Math.floor(atS / hourS) * hourS;
}

/** Whether this is a zone that the calendar knows. */
export function isZone(zone: string): boolean {
  return DateTime.fromSeconds(0, { zone }).isValid;
}

/**
 * Throws for a zone that this process does not know, because another one with newer time zone data has published it: its days
 * would have no bounds, and windows of days would count everything.
 */
export function requireZone(zone: string): void {
  if (!isZone(zone)) throw new TypeError(`the time zone data of this process does not have the published zone ${zone}`);
}

/** Throws for a period that only another release has. */
export function requirePeriod(period: Period): void {
  if (!Object.hasOwn(nameFormats, period))
    throw new TypeError(`this release does not have the published period ${period}`);
}

/** Where clocks go back over midnight, it comes twice: the period begins with the first one. */
function firstSecond(period: Period, at: DateTime): number {
  return Math.min(
    ...at
      .startOf(period)
      .getPossibleOffsets()
      .map((midnight) => midnight.toSeconds()),
  );
}

function startInUtc(period: Period, atS: number): number {
  const day = Math.floor(atS / dayS);
  // 1970-01-01 was a Thursday.
  if (period !== 'month') return (period === 'day' ? day : day - ((((day + 3) % 7) + 7) % 7)) * dayS;
  const date = new Date(atS * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000;
}

function known<Value extends number | string>(
  cache: LRUCache<string, Value>,
  key: string,
  compute: () => Value,
): Value {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const value = compute();
  cache.set(key, value);
  return value;
}
