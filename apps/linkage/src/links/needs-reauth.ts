import type { Logger } from '@podium/runtime/log';
import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { lockLink, saveNeedsReauth } from './link.store';
import { readTokens } from './token.store';
import { ReauthReason, reauthReasons } from './reauth-reason';
import { stopRefreshing } from './refresh-claim.store';
import { endAttempt } from './refresh-journal.store';

/** Marks links that only a log-in of their user repairs, each with its reason: in the link, audit, log and metric. */
export class NeedsReauth {
  private readonly links: Counter<'platform' | 'reason'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.links = new Counter({
      name: 'linkage_links_needing_login_total',
      help: `Links that need their user to log in at the partner again, by reason: ${Object.keys(reauthReasons).join(', ')}`,
      labelNames: ['platform', 'reason'],
      registers: [registry],
    });
  }

  /**
   * Call before a link of the platform is refreshed. Creates the series of all reasons at 0; alert rules still miss the links that
   * are counted before the first scrape after it.
   */
  showReasons(platform: string): void {
    for (const reason of Object.keys(reauthReasons))
      this.links.inc({ platform: this.platforms.of(platform), reason }, 0);
  }

  /**
   * No effect on a link that has ended or is marked already, or, with `version`, if its tokens have another version by now, as
   * those of a link that was made again. An attempt of `refreshId` is closed with it.
   */
  async mark(
    linkId: string,
    reason: ReauthReason,
    { version, refreshId }: { version?: number; refreshId?: number } = {},
  ): Promise<boolean> {
    const why = reauthReasons[reason];
    const marked = await inTransaction(this.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      if (refreshId !== undefined) await endAttempt(tx, refreshId, 'ended');
      if (!link || link.state === 'unlinked' || link.state === 'needs_reauth') return null;
      if (version !== undefined && (await readTokens(tx, linkId))?.version !== version) return null;
      await stopRefreshing(tx, linkId);
      await saveNeedsReauth(tx, link, reason);
      await appendAudit(tx, {
        actor: 'linkage',
        action: 'link.needs_reauth',
        subject: `link:${linkId}`,
        organizerId: link.organizerId,
        detail: { platform: link.platform, reason, why },
      });
      return link;
    });
    if (!marked) return false;
    this.links.inc({ platform: this.platforms.of(marked.platform), reason });
    this.logger.warn({ link_id: linkId, reason, why }, 'a link needs its user to log in at the partner again');
    return true;
  }
}
