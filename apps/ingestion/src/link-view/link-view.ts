import { LRUCache } from 'lru-cache';
import { CatchUpBarrier } from '@podium/runtime/kafka';
import { Counter, Registry } from '@podium/runtime/metrics';
import { AccountRef, LinkRow, LinksStore } from './links.store';

/** A link whose user's events are accepted. */
export type ActiveLink = Omit<LinkRow, 'state'>;

/** How long an active link is believed without asking again (V3), ms. */
export const linkMemoryMs = 2000;

/**
 * Who is linked, as the shared table says. Active links are remembered for at most two seconds from before they were read;
 * that nobody is linked is never remembered, so that the first event after linking is not refused from memory.
 */
export class LinkView {
  private readonly memory: LRUCache<string, ActiveLink>;
  private readonly lookups: Counter<'result'>;

  constructor(
    private readonly store: LinksStore,
    private readonly barrier: Pick<CatchUpBarrier, 'isPassedOn'>,
    registry: Registry,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.memory = new LRUCache({ max: 50_000, ttl: linkMemoryMs, ttlResolution: 0, perf: { now } });
    this.lookups = new Counter({
      name: 'ingestion_link_lookups_total',
      help: 'Look-ups of links by result: remembered, found, not_linked',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  /**
   * The active links of accounts, by `accountKey`; at most one statement. Rejects when Postgres is away, and while the table is
   * behind its topic, at the start or after a failover.
   */
  async find(accounts: readonly AccountRef[]): Promise<Map<string, ActiveLink>> {
    const links = new Map<string, ActiveLink>();
    const asked = new Map<string, AccountRef>();
    for (const account of accounts) {
      const key = accountKey(account);
      if (links.has(key) || asked.has(key)) continue;
      const link = this.memory.get(key);
      if (link === undefined) asked.set(key, account);
      else links.set(key, link);
    }
    this.lookups.inc({ result: 'remembered' }, links.size);
    if (asked.size > 0) await this.ask(asked, links);
    return links;
  }

  /** Forgets accounts whose link changed; what other instances remember ends by its age. */
  forget(accounts: readonly AccountRef[]): void {
    for (const account of accounts) this.memory.delete(accountKey(account));
  }

  private async ask(asked: ReadonlyMap<string, AccountRef>, links: Map<string, ActiveLink>): Promise<void> {
    const start = this.now();
    let found = 0;
    const { timeline, links: rows } = await this.store.find([...asked.values()]);
    if (!this.barrier.isPassedOn(timeline))
      throw new Error(`the link view is behind its topic on timeline ${timeline}`);
    for (const row of rows) {
      if (row.state === 'unlinked') continue;
      const link = activeLinkOf(row);
      const key = accountKey(link);
      this.memory.set(key, link, { start });
      links.set(key, link);
      found++;
    }
    this.lookups.inc({ result: 'found' }, found);
    this.lookups.inc({ result: 'not_linked' }, asked.size - found);
  }
}

/** One text per account; the length keeps `a` + `bc` and `ab` + `c` apart. */
export function accountKey({ platform, platformUserId }: AccountRef): string {
  return `${platform.length}:${platform}${platformUserId}`;
}

function activeLinkOf({ platform, platformUserId, userId, linkId, organizerId, linkedAtS }: LinkRow): ActiveLink {
  return { platform, platformUserId, userId, linkId, organizerId, linkedAtS };
}
