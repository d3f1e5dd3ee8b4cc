import { Window } from './condition';

/** Seconds of a UTC hour and of a UTC day; both are exact bucket widths, because Unix time has no leap seconds. */
export const hourS = 3600;
export const dayS = 86_400;

const maxDays = 366;
const maxHours = 744;

/** The limits of a rolling window, for messages. */
export const rollingBounds = `whole days or weeks up to P${maxDays}D, or whole hours up to PT${maxHours}H`;

/** A rolling window: the current bucket of `unitS` seconds and the `units - 1` buckets before it. */
export interface RollingWindow {
  readonly kind: 'rolling';
  readonly unitS: typeof hourS | typeof dayS;
  readonly units: number;
}

/** A parsed window. */
export type TermWindow = { readonly kind: 'lifetime' } | { readonly kind: 'since_link' } | RollingWindow;

/** Reads an ISO 8601 duration of whole days, weeks or hours within bounds; null otherwise. */
export function parseRolling(text: string): RollingWindow | null {
  const match = /^P(?:(?:([1-9][0-9]{0,2})([DW]))|T([1-9][0-9]{0,2})H)$/.exec(text);
  if (!match) return null;
  const [, count, unit, hours] = match;
  if (hours !== undefined) return bounded({ kind: 'rolling', unitS: hourS, units: Number(hours) }, maxHours);
  return bounded({ kind: 'rolling', unitS: dayS, units: Number(count) * (unit === 'W' ? 7 : 1) }, maxDays);
}

/** The window of a validated definition. */
export function windowOf(window: Window): TermWindow {
  if ('lifetime' in window) return { kind: 'lifetime' };
  if ('since' in window) return { kind: 'since_link' };
  const rolling = parseRolling(window.rolling);
  if (!rolling) throw new TypeError(`a rolling window of ${window.rolling} was published`);
  return rolling;
}

/** Unix seconds at which a window's bucket starts. */
export function startOfBucket(atS: number, widthS: number): number {
  return Math.floor(atS / widthS) * widthS;
}

/** Unix seconds at which an event of `atS` leaves a rolling window. */
export function leavesAt(window: RollingWindow, atS: number): number {
  return startOfBucket(atS, window.unitS) + window.units * window.unitS;
}

function bounded(window: RollingWindow, max: number): RollingWindow | null {
  return window.units <= max ? window : null;
}
