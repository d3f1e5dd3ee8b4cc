import { Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { PartnerGauge } from './partner-gauge';
import { readOverdueRefreshes } from './refresh-claim.store';

/**
 * Measures how far background work is behind with refreshes: a refresh token that is not used for long may expire. A paused
 * partner has no value.
 */
export function overdueRefreshes(db: Queryable, registry: Registry): PartnerGauge {
  return new PartnerGauge(
    {
      name: 'linkage_refresh_overdue_seconds',
      help: 'How long the oldest due refresh of a partner has waited for its turn; 0 when none waits; the same on every instance',
      read: () => readOverdueRefreshes(db),
      join: Math.max,
    },
    registry,
  );
}
