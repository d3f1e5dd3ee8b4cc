/** Seconds of a day. */
export const dayS = 86_400;

/** Seconds of an hour. */
export const hourS = 3_600;

/** A time in Unix seconds as ISO 8601. */
export function iso(timeS: number): string {
  return new Date(timeS * 1000).toISOString();
}
