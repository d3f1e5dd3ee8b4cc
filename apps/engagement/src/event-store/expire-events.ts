import { Queryable } from '@podium/runtime/postgres';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { deleteExpired } from './events.store';

/** Deletes at most `maxRows` events past their retention; returns how many. */
export async function expireEvents(
  parts: { db: Queryable; now: () => number },
  metrics: Pick<EngagementMetrics, 'expiredEvents'>,
  maxRows: number,
): Promise<number> {
  const deleted = await deleteExpired(parts.db, parts.now(), maxRows);
  metrics.expiredEvents.inc(deleted);
  return deleted;
}
