import { Queryable } from '@podium/runtime/postgres';
import { EngagementMetrics } from '../engagement-metrics';
import { deleteExpired } from './events.store';

/** Deletes a bounded part of what is past its retention; returns how much. */
export async function expireEvents(
  parts: { db: Queryable; now: () => number },
  metrics: Pick<EngagementMetrics, 'expiredEvents'>,
  mostRows: number,
): Promise<number> {
  const deleted = await deleteExpired(parts.db, parts.now(), mostRows);
  metrics.expiredEvents.inc(deleted);
  return deleted;
}
