import { UsageError } from './usage-error';

/** A time as options take it. */
export const timeExample = '2026-01-31T12:00:00Z';

/** Without a zone a time would be one of the shell's zone, in most cases later than meant. */
const zonedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

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

/** Unix milliseconds of the option --from-time, a past time with its zone; throws `UsageError`. */
export function parseFromTime(text: string): number {
  const timeMs = zonedTime.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs))
    throw new UsageError(
      `--from-time ${text}: must be a time with its zone, such as ${timeExample} or 2026-01-31T14:00:00+02:00.`,
    );
  if (timeMs > Date.now()) throw new UsageError(`--from-time ${text}: must not be in the future.`);
  return timeMs;
}
