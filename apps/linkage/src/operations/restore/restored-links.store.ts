import { LinkData } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { Link, linkRecord } from '../../links/link';
import { linkColumns } from '../../links/link.store';
import { schema } from '../../migrations/schema';

/**
 * Ends links of accounts of which the topic says that they are unlinked, or another user's: active ones are unlinked without
 * being published again, because whoever reads the topic knows. Returns them.
 */
export async function endSuperseded(tx: Queryable, states: readonly LinkData[]): Promise<Link[]> {
  const { rows } = await tx.query<Link>(
    `UPDATE linkage.links AS link SET state = 'unlinked', unlink_requested_at = clock_timestamp(),
       unlinked_at = clock_timestamp(), version = version + 1,
       barrier_outbox_id = NULL, barrier_partition = NULL, barrier_offset = NULL
     FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) AS told (told_platform, told_sub, told_user, is_active)
     WHERE platform = told_platform AND sub = told_sub AND state <> 'unlinked' AND NOT (is_active AND user_id = told_user)
     RETURNING ${linkColumns}`,
    [
      states.map((state) => state.platform),
      states.map((state) => state.platform_user_id),
      states.map((state) => state.user_id),
      states.map(({ state }) => state !== 'unlinked'),
    ],
  );
  await tx.query('DELETE FROM linkage.link_tokens WHERE link_id = ANY ($1::uuid[])', [rows.map((row) => row.linkId)]);
  return rows;
}

/** Adds links that were unlinked and that linkage does not know, so that a reconnect finds their ids again. */
export async function addUnlinked(tx: Queryable, states: readonly LinkData[]): Promise<number> {
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.links
       (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, unlinked_at, version)
     SELECT link_id, integration_id, platform, organizer_id, user_id, sub, sub, 'unlinked', to_timestamp(linked_at), now(), 1
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       AS told (link_id, integration_id, platform, organizer_id, user_id, sub, linked_at)
     WHERE EXISTS (SELECT 1 FROM linkage.integrations AS known WHERE known.integration_id = told.integration_id)
     ON CONFLICT DO NOTHING`,
    columnsOf(states),
  );
  return rowCount ?? 0;
}

/** Of active states those that linkage has otherwise: not, unlinked, of another grant, or in another state. */
export async function readDifferent(
  tx: Queryable,
  states: readonly LinkData[],
): Promise<{ readonly told: LinkData; readonly known: Link | null }[]> {
  const { rows } = await tx.query<Link & { number: number }>(
    `SELECT number, ${linkColumns}
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS told (told_platform, told_sub, told_user, number)
     LEFT JOIN linkage.links ON platform = told_platform AND sub = told_sub AND user_id = told_user
     ORDER BY number`,
    [
      states.map((state) => state.platform),
      states.map((state) => state.platform_user_id),
      states.map((state) => state.user_id),
    ],
  );
  return rows.flatMap(({ number, ...link }) => {
    const told = states[number - 1];
    const known = (link.linkId as string | null) === null ? null : link;
    return known && isSameGrant(known, told) && known.state === told.state ? [] : [{ told, known }];
  });
}

/** Whether a link of linkage and its state in the topic come from one log-in at the partner, so that the tokens are its. */
export function isSameGrant(known: Link, told: LinkData): boolean {
  return known.state !== 'unlinked' && Math.floor(known.linkedAt.getTime() / 1000) === told.linked_at;
}

/** Whether nothing stands in the way of a link: its integration is there, and its user has no other link with it. */
export async function hasRoom(tx: Queryable, told: LinkData): Promise<boolean> {
  const { rows } = await tx.query<{ room: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM linkage.integrations WHERE integration_id = $1)
       AND NOT EXISTS (
         SELECT 1 FROM linkage.links
         WHERE platform = $2 AND state <> 'unlinked' AND user_id = $3 AND sub <> $4) AS room`,
    [told.integration_id, told.platform, told.user_id, told.platform_user_id],
  );
  return rows[0].room;
}

/**
 * Brings a link back whose tokens are lost: it needs its user to log in at the partner again, its events are accepted as
 * before. Publishes it, and its barrier begins.
 */
export async function bringBack(tx: Queryable, told: LinkData): Promise<Link> {
  const { rows } = await tx.query<Link>(
    `INSERT INTO linkage.links AS l
       (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
     SELECT link_id, integration_id, platform, organizer_id, user_id, sub, sub, 'needs_reauth', to_timestamp(linked_at), 1
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       AS told (link_id, integration_id, platform, organizer_id, user_id, sub, linked_at)
     ON CONFLICT ON CONSTRAINT links_pair_unique DO UPDATE SET
       state = 'needs_reauth', linked_at = excluded.linked_at, ready_at = NULL, unlink_requested_at = NULL,
       unlinked_at = NULL, version = l.version + 1
     RETURNING ${linkColumns}`,
    columnsOf([told]),
  );
  const [link] = rows;
  await tx.query('DELETE FROM linkage.link_tokens WHERE link_id = $1', [link.linkId]);
  const [outboxId] = await appendOutbox(tx, schema, [linkRecord(link)]);
  await tx.query(
    `UPDATE linkage.links SET barrier_outbox_id = $2, barrier_partition = NULL, barrier_offset = NULL WHERE link_id = $1`,
    [link.linkId, outboxId],
  );
  return link;
}

/** Takes a link's end of its grant over, which the topic told already. */
export async function takeNeedsReauth(tx: Queryable, link: Link): Promise<void> {
  await tx.query(`UPDATE linkage.links SET state = 'needs_reauth', version = version + 1 WHERE link_id = $1`, [
    link.linkId,
  ]);
}

/** Publishes a link's state as linkage has it. */
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
