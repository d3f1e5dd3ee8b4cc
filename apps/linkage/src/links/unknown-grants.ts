import { Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { PartnerGauge } from './partner-gauge';
import { countUnknownGrants } from './refresh-journal.store';

/** Counts links whose grant is in an unknown state: answers to refreshes were lost, and the same token is sent again. */
export function unknownGrants(db: Queryable, registry: Registry): PartnerGauge {
  return new PartnerGauge(
    {
      name: 'linkage_grants_unknown',
      help: 'Links whose grant is in an unknown state, because the answers to refreshes were lost; the same on every instance',
      read: () => countUnknownGrants(db),
      join: (a, b) => a + b,
    },
    registry,
  );
}
