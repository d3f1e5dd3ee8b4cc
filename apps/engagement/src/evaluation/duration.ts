const pattern = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;

/** Seconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; null for anything else and for nothing. */
export function durationSeconds(text: string): number | null {
  const match = pattern.exec(text);
  if (!match || text === 'P' || text.endsWith('T')) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  const total = weeks * 604_800 + days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
  return total > 0 ? total : null;
}

/** A rolling window: whole days, or whole UTC hours. */
export interface Rolling {
  readonly unit: 'day' | 'hour';
  readonly units: number;
}

/** A rolling window's duration: `P30D` and `P1W` are days, `PT6H` hours; null for anything else. */
export function parseRolling(text: string): Rolling | null {
  const match = /^P(?:(\d{1,3})D|(\d{1,2})W|T(\d{1,3})H)$/.exec(text);
  if (!match) return null;
  const [days, weeks, hours] = match.slice(1).map((digits) => Number(digits ?? 0));
  const units = hours || days || weeks * 7;
  return units > 0 ? { unit: hours ? 'hour' : 'day', units } : null;
}
