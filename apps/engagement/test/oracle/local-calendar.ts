import type { Period } from '../../src/evaluation/condition';

/** Local dates change only at full quarter hours of UTC, in every zone and year that tests use. */
const quarterS = 900;
const dayMs = 86_400_000;

/** The local date of a second, as days since 1970-01-01. */
export function dayOf(zone: string, atS: number): number {
  return remember(days, zone, Math.floor(atS / quarterS), (quarter) => {
    const date = formatOf(zone).format(quarter * quarterS * 1000);
    return Date.parse(`${date}T00:00:00Z`) / dayMs;
  });
}

/** The number of the local day, week or month of a second; consecutive periods have consecutive numbers. */
export function periodOf(period: Period, zone: string, atS: number): number {
  const day = dayOf(zone, atS);
  if (period === 'day') return day;
  // 1970-01-01 was a Thursday: its week began three days before.
  if (period === 'week') return Math.floor((day + 3) / 7);
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The name of the period of a second (reading 3): `2026-11-05`, `2026-W45`, `2026-11`. */
export function periodName(period: Period, zone: string, atS: number): string {
  const day = dayOf(zone, atS);
  const date = new Date(day * dayMs).toISOString();
  if (period === 'day') return date.slice(0, 10);
  if (period === 'month') return date.slice(0, 7);
  // A week belongs to the year of its Thursday.
  const thursday = periodOf('week', zone, atS) * 7;
  const year = new Date(thursday * dayMs).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The first seconds of all local days that begin in a range, both ends included. */
export function dayStarts(zone: string, fromS: number, toS: number): number[] {
  const starts: number[] = [];
  for (let utcDay = Math.floor(fromS / 86_400); utcDay * 86_400 <= toS; utcDay++)
    starts.push(...remember(startsByUtcDay, zone, utcDay, (day) => startsInUtcDay(zone, day)));
  return starts.filter((startS) => startS >= fromS && startS <= toS);
}

function startsInUtcDay(zone: string, utcDay: number): number[] {
  const starts: number[] = [];
  for (let atS = utcDay * 86_400; atS < (utcDay + 1) * 86_400; atS += quarterS)
    if (dayOf(zone, atS) !== dayOf(zone, atS - quarterS)) starts.push(atS);
  return starts;
}

const days = new Map<string, Map<number, number>>();
const startsByUtcDay = new Map<string, Map<number, number[]>>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Intl takes microseconds per date: each answer is kept by zone and number. */
function remember<T>(answers: Map<string, Map<number, T>>, zone: string, key: number, find: (key: number) => T): T {
  const ofZone = answers.get(zone) ?? new Map<number, T>();
  answers.set(zone, ofZone);
  const known = ofZone.get(key);
  if (known !== undefined) return known;
  const found = find(key);
  ofZone.set(key, found);
  return found;
}

/** The Canadian English date is written year-month-day. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(zone, format);
  return format;
}
