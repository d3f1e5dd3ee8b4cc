import { Window } from './condition';

/** Seconds of a UTC hour and of a UTC day: Unix time has no leap seconds, so that both are bucket widths. */
export const hourS = 3600;
export const dayS = 86_400;

const maxDays = 366;
const maxHours = 744;

/** What bounds a rolling window, for messages. */
export const rollingBounds = `whole days or weeks up to P${maxDays}D, or whole hours up to PT${maxHours}H`;

/** A rolling window: the bucket of `unitS` seconds that now lies in and the `units - 1` before it. */
export interface RollingWindow {
  readonly kind: 'rolling';
  readonly unitS: typeof hourS | typeof dayS;
  readonly units: number;
}

/** A window as the evaluation uses it. */
export type TermWindow = { readonly kind: 'lifetime' } | { readonly kind: 'since_link' } | RollingWindow;

/** Reads an ISO 8601 duration of whole days, weeks or hours within bounds; null otherwise. */
export function parseRolling(text: string): RollingWindow | null {
  const match = /^P(?:(?:([1-9][0-9]{0,2})([DW]))|T([1-9][0-9]{0,2})H)$/.exec(text);
  if (!match) return null;
  const [, count, unit, hours] = match;
  if (hours !== undefined) return bounded({ kind: 'rolling', unitS: hourS, units: Number(hours) }, maxHours);
  return bounded({ kind: 'rolling', unitS: dayS, units: Number(count) * (unit === 'W' ? 7 : 1) }, maxDays);
}

/** The window of a checked definition. */
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

/** Unix seconds at which what happened at `atS` leaves a rolling window. */
export function leavesAt(window: RollingWindow, atS: number): number {
  return startOfBucket(atS, window.unitS) + window.units * window.unitS;
}

function bounded(window: RollingWindow, max: number): RollingWindow | null {
  return window.units <= max ? window : null;
}
