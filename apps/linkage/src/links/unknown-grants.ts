import { BoundedLabel, Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { countUnknownGrants } from './refresh-journal.store';

/** Counts links whose grant is in an unknown state: answers to refreshes were lost, and the same token is sent again. */
export class UnknownGrants {
  private readonly grants: Gauge<'platform'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly db: Queryable,
    registry: Registry,
  ) {
    this.grants = new Gauge({
      name: 'linkage_grants_unknown',
      help: 'Links whose grant is in an unknown state, because the answers to refreshes were lost; the same on every instance',
      labelNames: ['platform'],
      registers: [registry],
    });
  }

  /** One round; a platform without such links is 0. */
  async run(): Promise<void> {
    const counts = new Map<string, number>();
    for (const { platform, links } of await countUnknownGrants(this.db)) {
      const label = this.platforms.of(platform);
      counts.set(label, (counts.get(label) ?? 0) + links);
    }
    this.grants.reset();
    for (const [platform, links] of counts) this.grants.set({ platform }, links);
  }
}
