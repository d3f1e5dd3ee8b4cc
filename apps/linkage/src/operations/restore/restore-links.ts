import { LinkData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../../audit/audit.store';
import { Link } from '../../links/link';
import {
  addUnlinked,
  restoreLink,
  endSuperseded,
  canRestore,
  isSameGrant,
  publishLink,
  readDifferent,
  markNeedsReauth,
} from './restored-links.store';

/** The result of applying the active links of the topic. */
export interface TakenLinks {
  /** Links missing from the database: restored, without tokens. */
  readonly broughtBack: number;
  /** Links whose state differs within the same grant. */
  readonly moved: number;
  /** Links without an integration, or in conflict with another link of the user, as `<platform> <platform user id>`. */
  readonly refused: readonly string[];
}

/**
 * Ends the links that the topic shows as ended, given at most one state per account. Call it for all accounts before
 * `takeActive`. Returns how many of the links were active. Erased links are left to the erasures.
 */
export async function takeEnded(tx: Queryable, states: readonly LinkData[], by: string): Promise<number> {
  const ended = await endSuperseded(tx, states);
  await addUnlinked(
    tx,
    states.filter(({ state }) => state === 'unlinked'),
  );
  for (const link of ended) await audit(tx, 'link.unlinked', link, by);
  return ended.length;
}

/**
 * Restores the links that the topic shows as active, given at most one state per account. No topic contains a partner's
 * tokens, so a link made after the restored moment needs its user to log in again.
 */
export async function takeActive(tx: Queryable, states: readonly LinkData[], by: string): Promise<TakenLinks> {
  let broughtBack = 0;
  let moved = 0;
  const refused: string[] = [];
  const active = states.filter(({ state }) => state !== 'unlinked');
  for (const { published, stored } of await readDifferent(tx, active)) {
    if (!(await canRestore(tx, published))) refused.push(`${published.platform} ${published.platform_user_id}`);
    else if (!stored || !isSameGrant(stored, published)) {
      await audit(tx, 'link.restored', await restoreLink(tx, published), by);
      broughtBack++;
    } else {
      // Tokens of a dead grant are useless. In every other state linkage continues from its own stored state.
      if (published.state === 'needs_reauth') await markNeedsReauth(tx, stored);
      else await publishLink(tx, stored);
      moved++;
    }
  }
  return { broughtBack, moved, refused };
}

function audit(tx: Queryable, action: string, link: Link, by: string): Promise<void> {
  return appendAudit(tx, {
    actor: by,
    action,
    subject: `link:${link.linkId}`,
    organizerId: link.organizerId,
    detail: { platform: link.platform, from: 'topic' },
  });
}
