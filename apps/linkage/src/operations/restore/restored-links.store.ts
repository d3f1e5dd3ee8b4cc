import { LinkData } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Link, linkRecord } from '../../links/link';
import { linkColumns } from '../../links/link.store';
import { queueRevocations } from '../../links/revocation.store';
import { schema } from '../../migrations/schema';

/**
 * Ends links whose account is unlinked or belongs to another user according to the topic, at the time in the record: when the
 * user unlinked, or when the other user's link began. Returns the links that were active. They are not published again,
 * because consumers of the topic already have that state. Their tokens are revoked at the partner, as after an unlink: that one
 * was lost, perhaps before it told the partner.
 */
export async function endSuperseded(tx: Queryable, states: readonly LinkData[]): Promise<Link[]> {
  const { rows } = await tx.query<Link>(
    `UPDATE linkage.links AS link SET state = 'unlinked',
       unlink_requested_at = greatest(linked_at, coalesce(to_timestamp(
         CASE WHEN user_id = published_user THEN published_unlinked_at ELSE published_linked_at END), clock_timestamp())),
       unlinked_at = clock_timestamp(), version = version + 1,
       barrier_outbox_id = NULL, barrier_partition = NULL, barrier_offset = NULL
     FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::bigint[], $6::bigint[])
       AS published (published_platform, published_sub, published_user, is_active, published_linked_at,
         published_unlinked_at)
     WHERE platform = published_platform AND sub = published_sub AND state <> 'unlinked'
       AND NOT (is_active AND user_id = published_user)
     RETURNING ${linkColumns}`,
    [
      states.map((state) => state.platform),
      states.map((state) => state.platform_user_id),
      states.map((state) => state.user_id),
      states.map(({ state }) => state !== 'unlinked'),
      states.map((state) => state.linked_at),
      states.map((state) => state.unlinked_at ?? null),
    ],
  );
  await queueRevocations(
    tx,
    rows.map((row) => row.linkId),
  );
  return rows;
}

/** Adds missing links that were unlinked, so that a reconnect finds their ids again. */
export async function addUnlinked(tx: Queryable, states: readonly LinkData[]): Promise<number> {
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.links
       (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, unlink_requested_at,
        unlinked_at, version)
     SELECT link_id, integration_id, platform, organizer_id, user_id, sub, sub, 'unlinked', to_timestamp(linked_at),
       to_timestamp(unlinked_at), now(), 1
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
       AS published (link_id, integration_id, platform, organizer_id, user_id, sub, linked_at, unlinked_at)
     WHERE EXISTS (SELECT 1 FROM linkage.integrations AS stored WHERE stored.integration_id = published.integration_id)
     ON CONFLICT DO NOTHING`,
    [...columnsOf(states), states.map((state) => state.unlinked_at ?? null)],
  );
  return rowCount ?? 0;
}

/** The active states that differ from the stored link: missing, unlinked, of another grant, or in another state. */
export async function readDifferent(
  tx: Queryable,
  states: readonly LinkData[],
): Promise<{ readonly published: LinkData; readonly stored: Link | null }[]> {
  const { rows } = await tx.query<Link & { number: number }>(
    `SELECT number, ${linkColumns}
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
       AS published (published_platform, published_sub, published_user, number)
     LEFT JOIN linkage.links ON platform = published_platform AND sub = published_sub AND user_id = published_user
     ORDER BY number`,
    [
      states.map((state) => state.platform),
      states.map((state) => state.platform_user_id),
      states.map((state) => state.user_id),
    ],
  );
  return rows.flatMap(({ number, ...link }) => {
    const published = states[number - 1];
    const stored = (link.linkId as string | null) === null ? null : link;
    return stored && isSameGrant(stored, published) && stored.state === published.state ? [] : [{ published, stored }];
  });
}

/** Whether the stored link and the published state come from the same log-in at the partner, so that the tokens match. */
export function isSameGrant(stored: Link, published: LinkData): boolean {
  return stored.state !== 'unlinked' && Math.floor(stored.linkedAt.getTime() / 1000) === published.linked_at;
}

/** Whether a link can be restored: its integration exists, and its user has no other active link with it. */
export async function canRestore(tx: Queryable, published: LinkData): Promise<boolean> {
  const { rows } = await tx.query<{ can_restore: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM linkage.integrations WHERE integration_id = $1)
       AND NOT EXISTS (
         SELECT 1 FROM linkage.links
         WHERE platform = $2 AND state <> 'unlinked' AND user_id = $3 AND sub <> $4) AS can_restore`,
    [published.integration_id, published.platform, published.user_id, published.platform_user_id],
  );
  return rows[0].can_restore;
}

/**
 * Restores a link whose tokens are lost: its user must log in at the partner again, and its events are still accepted.
 * Publishes the link and starts its readiness barrier.
 */
export async function restoreLink(tx: Queryable, published: LinkData): Promise<Link> {
  const { rows } = await tx.query<Link>(
    `INSERT INTO linkage.links AS l
       (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, reauth_reason, linked_at, version)
     SELECT link_id, integration_id, platform, organizer_id, user_id, sub, sub, 'needs_reauth', 'restored',
            to_timestamp(linked_at), 1
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       AS published (link_id, integration_id, platform, organizer_id, user_id, sub, linked_at)
     ON CONFLICT ON CONSTRAINT links_pair_unique DO UPDATE SET
       state = 'needs_reauth', reauth_reason = excluded.reauth_reason, linked_at = excluded.linked_at, ready_at = NULL,
       unlink_requested_at = NULL, unlinked_at = NULL, version = l.version + 1
     RETURNING ${linkColumns}`,
    columnsOf([published]),
  );
  const [link] = rows;
  await tx.query('DELETE FROM linkage.link_tokens WHERE link_id = $1', [link.linkId]);
  const [outboxId] = await appendOutbox(tx, schema, [linkRecord(link)]);
  await tx.query(
    `UPDATE linkage.links
     SET barrier_outbox_id = $2, barrier_partition = NULL, barrier_offset = NULL, barrier_at = clock_timestamp()
     WHERE link_id = $1`,
    [link.linkId, outboxId],
  );
  return link;
}

/** Marks that the link's grant has ended, without publishing it: the topic already has this state. */
export async function markNeedsReauth(tx: Queryable, link: Link): Promise<void> {
  await tx.query(
    `UPDATE linkage.links SET state = 'needs_reauth', reauth_reason = NULL, version = version + 1 WHERE link_id = $1`,
    [link.linkId],
  );
}

/** Publishes the stored state of a link. */
export async function publishLink(tx: Queryable, link: Link): Promise<void> {
  await appendOutbox(tx, schema, [linkRecord(link)]);
}

function columnsOf(states: readonly LinkData[]): unknown[] {
  return [
    states.map((state) => state.link_id),
    states.map((state) => state.integration_id),
    states.map((state) => state.platform),
    states.map((state) => state.organizer_id),
    states.map((state) => state.user_id),
    states.map((state) => state.platform_user_id),
    states.map((state) => state.linked_at),
  ];
}
