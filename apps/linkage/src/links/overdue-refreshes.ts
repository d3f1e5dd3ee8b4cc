import { BoundedLabel, Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { readOverdueRefreshes } from './refresh-claim.store';

/** Measures how far background work is behind with refreshes: a refresh token that is not used for long may expire. */
export class OverdueRefreshes {
  private readonly seconds: Gauge<'platform'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly db: Queryable,
    registry: Registry,
  ) {
    this.seconds = new Gauge({
      name: 'linkage_refresh_overdue_seconds',
      help: 'How long the oldest due refresh of a partner has waited for its turn; 0 when none waits; the same on every instance',
      labelNames: ['platform'],
      registers: [registry],
    });
  }

  /** One round; a paused partner has no value. */
  async run(): Promise<void> {
    const longest = new Map<string, number>();
    for (const { platform, seconds } of await readOverdueRefreshes(this.db)) {
      const label = this.platforms.of(platform);
      longest.set(label, Math.max(longest.get(label) ?? 0, seconds));
    }
    this.seconds.reset();
    for (const [platform, seconds] of longest) this.seconds.set({ platform }, seconds);
  }
}
