import { parseTyped } from '@podium/messages';
import { UsageError } from './usage-error';

/** A time as options take it. */
export const timeExample = '2026-01-31T12:00:00Z';

/** A time without seconds: the zone, which follows them. */
const zoneOfMinutes = /(?<=T\d{2}:\d{2})(?=Z$|[+-]\d{2}:\d{2}$)/;

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a duration such as 90s, 30m, 12h or 7d; throws `UsageError` with the option's name. */
export function secondsOf(option: string, text: string): number {
  const parts = /^([1-9]\d{0,6})([smhd])$/.exec(text);
  if (!parts) throw new UsageError(`${option} ${text}: must be a duration such as 90s, 30m, 12h or 7d.`);
  return Number(parts[1]) * seconds[parts[2]];
}

/** Whole seconds from 0, of the option --wait; throws `UsageError`. */
export function parseSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--wait ${text}: must be whole seconds.`);
  return Number(text);
}

/**
 * Unix milliseconds of the option --from-time, a past time with its zone; throws `UsageError`. Without a zone it would be a time
 * of the shell's zone, and a day that its month does not have one of the next month: in most cases later than meant.
 */
export function parseFromTime(text: string): number {
  const time = text.includes('T') ? parseTyped('timestamp', text.replace(zoneOfMinutes, ':00')) : null;
  if (typeof time !== 'bigint')
    throw new UsageError(
      `--from-time ${text}: must be a time with its zone, such as ${timeExample} or 2026-01-31T14:00:00+02:00.`,
    );
  const timeMs = Number(time / 1_000_000n);
  if (timeMs > Date.now()) throw new UsageError(`--from-time ${text}: must not be in the future.`);
  return timeMs;
}
