import { startOf } from '../evaluation/calendar';

/** How far ahead fixed bounds lie at least, so that state can be cut there (docs/engine.md); seconds. */
export const boundLeadS = 600;

/** How far ahead `in_force_from` lies at most, days: each further version lies after it, so that a wrong year is final. */
export const maxDaysAhead = 366;

/** The first full 10 minutes that are at least 10 minutes ahead, Unix seconds. */
export function nextFullTenMinutes(nowS: number): number {
  return Math.ceil((nowS + boundLeadS) / 600) * 600;
}

/** Whether an instant is the first second of a day of the zone. */
export function isStartOfDay(atS: number, zone: string): boolean {
  return startOf('day', atS, zone) === atS;
}

/** Whether an instant may become a bound of the future: at least 10 minutes ahead, or the start of a day that is ahead. */
export function isAhead(atS: number, nowS: number, zone: string): boolean {
  return atS >= nowS + boundLeadS || (atS > nowS && isStartOfDay(atS, zone));
}

/** What says from when on a published version is in force. */
export interface VersionTimes {
  readonly generation: number | null;
  readonly inForceFrom: number | null;
  readonly countsFrom: Date | null;
  readonly publishedAt: Date | null;
}

/**
 * From when on each of the published versions of a definition is in force, oldest first; strictly increasing. The release
 * before has no such column: its versions were in force when they were published, the first of a generation from
 * `counts_from` on.
 */
export function inForceFroms(versions: readonly VersionTimes[]): number[] {
  const found: number[] = [];
  versions.forEach((version, i) => {
    const isFirstOfGeneration = version.generation !== versions[i - 1]?.generation;
    const legacy = isFirstOfGeneration ? version.countsFrom : version.publishedAt;
    const own = version.inForceFrom ?? Math.floor((legacy ?? new Date(0)).getTime() / 1000);
    found.push(i === 0 ? own : Math.max(own, found[i - 1] + 1));
  });
  return found;
}
