const pattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The exact seconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds. */
export function durationSeconds(text: string): number {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`${text} is not a duration`);
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part: string | undefined) => Number(part ?? 0));
  return (weeks * 7 + days) * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** A rolling window's length: whole UTC hours if its duration has a time part, else whole days of the zone. */
export function rollingLength(text: string): { unit: 'hour' | 'day'; length: number } {
  return text.includes('T')
    ? { unit: 'hour', length: durationSeconds(text) / 3600 }
    : { unit: 'day', length: durationSeconds(text) / 86_400 };
}
