import { LRUCache } from 'lru-cache';
import { CatchUpBarrier } from '@podium/runtime/kafka';
import { Counter, Registry } from '@podium/runtime/metrics';
import { AccountRef, accountKey } from '../accounts/account';
import { LinkRow, LinksStore } from './links.store';

/** A link whose user's events are accepted. */
export type ActiveLink = Omit<LinkRow, 'state'>;

/** How long an active link is cached (invariant V3), ms. */
const linkCacheMs = 2000;

/**
 * Reads active links from the shared table. They are cached for at most two seconds, counted from before the read. A missing
 * link is never cached, so that the first event after linking is not refused.
 */
export class LinkView {
  private readonly cache: LRUCache<string, ActiveLink>;
  private readonly lookups: Counter<'result'>;

  constructor(
    private readonly store: LinksStore,
    private readonly barrier: Pick<CatchUpBarrier, 'isPassedOn'>,
    registry: Registry,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.cache = new LRUCache({ max: 50_000, ttl: linkCacheMs, ttlResolution: 0, perf: { now } });
    this.lookups = new Counter({
      name: 'ingestion_link_lookups_total',
      help: 'Lookups of links by result: remembered (cached), found, not_linked',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  /**
   * The active links of accounts, by `accountKey`; at most one statement. Rejects while Postgres is unavailable, and while the
   * table is behind its topic after the start or a failover.
   */
  async find(accounts: readonly AccountRef[]): Promise<Map<string, ActiveLink>> {
    const links = new Map<string, ActiveLink>();
    const asked = new Map<string, AccountRef>();
    for (const account of accounts) {
      const key = accountKey(account);
      if (links.has(key) || asked.has(key)) continue;
      const link = this.cache.get(key);
      if (link === undefined) asked.set(key, account);
      else links.set(key, link);
    }
    this.lookups.inc({ result: 'remembered' }, links.size);
    if (asked.size > 0) await this.ask(asked, links);
    return links;
  }

  /** Removes accounts whose link changed from the cache; the caches of other instances expire. */
  forget(accounts: readonly AccountRef[]): void {
    for (const account of accounts) this.cache.delete(accountKey(account));
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
      this.cache.set(key, link, { start });
      links.set(key, link);
      found++;
    }
    this.lookups.inc({ result: 'found' }, found);
    this.lookups.inc({ result: 'not_linked' }, asked.size - found);
  }
}

function activeLinkOf({ platform, platformUserId, userId, linkId, organizerId, linkedAtS }: LinkRow): ActiveLink {
  return { platform, platformUserId, userId, linkId, organizerId, linkedAtS };
}
