import { LinkState, linkChanged, recordKey, topics } from '@podium/messages';
import { OutboxRecord, outboxRecord } from '@podium/runtime/outbox';

/** A stored link: one row per (platform, sub, user), so that a reconnect finds its id again. */
export interface Link {
  readonly linkId: string;
  readonly integrationId: string;
  readonly platform: string;
  readonly organizerId: string;
  readonly userId: string;
  /** The partner's user id, compared byte for byte. */
  readonly sub: string;
  readonly nickname: string;
  readonly state: LinkState;
  readonly linkedAt: Date;
  /** When every group that `linkage.links.v1` names had the link; null until then. */
  readonly readyAt: Date | null;
  /** When it was unlinked; null while it is active. */
  readonly unlinkRequestedAt: Date | null;
  /** When those groups had the unlinking; null until then. */
  readonly unlinkedAt: Date | null;
}

/** The Kafka key of a link's records. */
export function linkKey(link: Pick<Link, 'platform' | 'sub'>): string {
  return recordKey(link.platform, link.sub);
}

/** The record of a link's complete state, for the outbox of the transaction that changed it. */
export function linkRecord(link: Link): OutboxRecord {
  const linkedAtS = unixSeconds(link.linkedAt);
  // Confirmed is later: the record itself is what the groups must have. A restored link may have only that time.
  const endedAt = link.state === 'unlinked' ? (link.unlinkRequestedAt ?? link.unlinkedAt) : null;
  return outboxRecord({
    topic: topics.links,
    key: linkKey(link),
    definition: linkChanged,
    data: {
      link_id: link.linkId,
      integration_id: link.integrationId,
      platform: link.platform,
      platform_user_id: link.sub,
      user_id: link.userId,
      organizer_id: link.organizerId,
      state: link.state,
      linked_at: linkedAtS,
      ...(endedAt && { unlinked_at: Math.max(linkedAtS, unixSeconds(endedAt)) }),
    },
  });
}

function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
