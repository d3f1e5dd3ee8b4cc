import { LinkData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../../audit/audit.store';
import { Link } from '../../links/link';
import {
  addUnlinked,
  bringBack,
  endSuperseded,
  hasRoom,
  isSameGrant,
  publishLink,
  readDifferent,
  takeNeedsReauth,
} from './restored-links.store';

/** What active states of the topic of links were to linkage. */
export interface TakenLinks {
  /** Linked since: brought back, without tokens. */
  readonly broughtBack: number;
  /** In another state of the same grant. */
  readonly moved: number;
  /** Without an integration, or beside another link of the user, as `<platform> <platform user id>`. */
  readonly refused: readonly string[];
}

/**
 * Ends what the topic says is over, at most one state per account; to be done for all accounts before `takeActive`. Returns
 * how many links were active. What was erased is left to the erasures.
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
 * Brings back what the topic says is linked, at most one state per account. A partner's tokens are in no topic: a link that
 * was made after the restored moment comes back as one that needs its user to log in again.
 */
export async function takeActive(tx: Queryable, states: readonly LinkData[], by: string): Promise<TakenLinks> {
  let broughtBack = 0;
  let moved = 0;
  const refused: string[] = [];
  const active = states.filter(({ state }) => state !== 'unlinked');
  for (const { told, known } of await readDifferent(tx, active)) {
    if (!(await hasRoom(tx, told))) refused.push(`${told.platform} ${told.platform_user_id}`);
    else if (!known || !isSameGrant(known, told)) {
      await audit(tx, 'link.restored', await bringBack(tx, told), by);
      broughtBack++;
    } else {
      // Tokens of a dead grant are of no use; in every other state linkage's own work goes on from what it has.
      if (told.state === 'needs_reauth') await takeNeedsReauth(tx, known);
      else await publishLink(tx, known);
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
