import { Queryable } from '@podium/runtime/postgres';
import { EngagementMetrics } from '../engagement-metrics';
import { deleteExpired } from './events.store';

/** Rows per statement: short locks, and vacuum keeps up. */
const rowsPerPart = 1000;

/** Deletes a bounded part of what is past its retention; returns whether more is waiting. */
export async function expireEvents(
  parts: { db: Queryable; now: () => number },
  metrics: Pick<EngagementMetrics, 'expiredEvents'>,
): Promise<boolean> {
  const deleted = await deleteExpired(parts.db, parts.now(), rowsPerPart);
  metrics.expiredEvents.inc(deleted);
  return deleted === rowsPerPart;
}
