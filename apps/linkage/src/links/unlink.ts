import { CodedError } from '@podium/messages';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { Link } from './link';
import { lockUserLink, saveUnlinked } from './link.store';
import { LinkReadiness } from './link-readiness';

/** Unlinking: a user ends a link. */
export class Unlink {
  constructor(
    private readonly pool: Pool,
    private readonly readiness: LinkReadiness,
  ) {}

  /**
   * Publishes the link as unlinked and erases its tokens; `unlinkedAt` is set when every part of the service has read
   * it. A repeated call before that returns the same. Throws `not_found` when there is no link.
   */
  async unlink(userId: string, integrationId: string): Promise<Link> {
    const link = await inTransaction(this.pool, async (tx) => {
      const found = await lockUserLink(tx, integrationId, userId);
      if (!found) throw new CodedError('not_found', { message: 'There is no link with this partner.' });
      if (found.state === 'unlinked') return found;
      await appendAudit(tx, {
        actor: `user:${userId}`,
        action: 'link.unlinked',
        subject: `link:${found.linkId}`,
        organizerId: found.organizerId,
        detail: { platform: found.platform },
      });
      return saveUnlinked(tx, found.linkId);
    });
    this.readiness.wake();
    return link;
  }
}
