import { SegmentBody, TaskBody } from '../evaluation/definition';
import { refused } from './body-problems';
import { maxAwardsPerDay } from './check-task';
import { PricedVersion } from './priced-versions.queries';

/** The multiple of its forecast above which the engine pauses a task, unless the publication states another one. */
export const defaultForecastMultiple = 3;

/** The highest multiple that a publication may state. */
export const maxForecastMultiple = 1_000;

/** A forecast never gives a lower rate: a few awards more than none are no reason to pause. */
const leastByForecast = 10;

const dayS = 86_400;

/**
 * The awards of a UTC day of `reached_at` above which the engine pauses a version: what it states, else a multiple of the mean
 * of its dry run, up to the highest one that a version may state; null without either.
 */
export function maxPerDayOf(
  body: SegmentBody | TaskBody,
  multiple: number | undefined,
  priced: PricedVersion | null,
): number | null {
  const stated = 'goal' in body ? body.max_per_day : undefined;
  if (multiple !== undefined && (stated !== undefined || priced === null))
    throw refused(
      'forecast_multiple',
      stated !== undefined
        ? 'leave it out: the version states max_per_day'
        : 'needs a finished dry run of the version, which is its forecast',
    );
  if (stated !== undefined) return stated;
  if (priced === null) return null;
  const perDay = (priced.awards * dayS) / Math.max(dayS, priced.to - priced.from);
  const byForecast = Math.ceil(perDay * (multiple ?? defaultForecastMultiple));
  return Math.min(maxAwardsPerDay, Math.max(leastByForecast, byForecast));
}
