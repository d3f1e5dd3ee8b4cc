import { randomUUID } from 'node:crypto';
import { LinkState } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { schema } from '../migrations/schema';
import { dropRevocations, queueRevocations } from './revocation.store';
import { LinkProblem, ReauthReason } from './reauth-reason';
import { ClaimOfPartners, DueLink, isClaimedSql } from './refresh-claim.store';
import { Link, linkRecord } from './link';

/** The columns of a link as `Link` names them. */
export const linkColumns = `
  link_id AS "linkId", integration_id AS "integrationId", platform, organizer_id AS "organizerId", user_id AS "userId",
  sub, nickname, state, linked_at AS "linkedAt", ready_at AS "readyAt",
  unlink_requested_at AS "unlinkRequestedAt", unlinked_at AS "unlinkedAt"`;

/** The data of a new link from a callback. */
export interface NewLink {
  readonly integrationId: string;
  readonly platform: string;
  readonly organizerId: string;
  readonly userId: string;
  readonly sub: string;
  readonly nickname: string;
}

/** Locks conflicting links of a pair and the pair's own row: active links of the sub or of the user. */
export async function lockRivals(tx: Queryable, link: NewLink): Promise<Link[]> {
  const { rows } = await tx.query<Link>(
    `SELECT ${linkColumns} FROM linkage.links
     WHERE platform = $1 AND (sub = $2 OR user_id = $3) AND (state <> 'unlinked' OR (sub = $2 AND user_id = $3))
     ORDER BY link_id FOR UPDATE`,
    [link.platform, link.sub, link.userId],
  );
  return rows;
}

/**
 * Inserts the pair, or connects it again under the same id; publishes it, and its readiness is pending. A link that was
 * unlinked begins again; renewing an active one keeps `linked_at`, because what the user has reached since depends on it. Tokens
 * of the account that wait for their revocation are dropped.
 */
export async function saveLinked(tx: Queryable, link: NewLink): Promise<Link> {
  const { rows } = await tx.query<Link>(
    `INSERT INTO linkage.links AS l
       (link_id, integration_id, platform, organizer_id, user_id, sub, nickname, state, linked_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'linking', clock_timestamp(), 1)
     ON CONFLICT ON CONSTRAINT links_pair_unique DO UPDATE SET
       nickname = excluded.nickname, state = 'linking', ready_at = NULL,
       linked_at = CASE WHEN l.state = 'unlinked' THEN excluded.linked_at ELSE l.linked_at END,
       unlink_requested_at = NULL, unlinked_at = NULL, reauth_reason = NULL, user_info_at = now(),
       version = l.version + 1
     RETURNING ${linkColumns}`,
    [randomUUID(), link.integrationId, link.platform, link.organizerId, link.userId, link.sub, link.nickname],
  );
  await dropRevocations(tx, link);
  await publishWithBarrier(tx, rows[0]);
  return rows[0];
}

/** Marks a locked link as unlinked, ends its tokens and publishes it; its confirmation is pending. */
export async function saveUnlinked(tx: Queryable, linkId: string): Promise<Link> {
  const { rows } = await tx.query<Link>(
    `UPDATE linkage.links
     SET state = 'unlinked', unlink_requested_at = clock_timestamp(), unlinked_at = NULL, version = version + 1
     WHERE link_id = $1 RETURNING ${linkColumns}`,
    [linkId],
  );
  await queueRevocations(tx, [linkId]);
  await publishWithBarrier(tx, rows[0]);
  return rows[0];
}

/** Moves a locked link to another state and publishes it; no effect if it has that state already. */
export async function saveState(tx: Queryable, link: Link, state: LinkState): Promise<void> {
  if (link.state === state) return;
  await tx.query(`UPDATE linkage.links SET state = $2, version = version + 1 WHERE link_id = $1`, [link.linkId, state]);
  await appendOutbox(tx, schema, [linkRecord({ ...link, state })]);
}

/** Moves a locked link to `needs_reauth` with its reason and publishes it. */
export async function saveNeedsReauth(tx: Queryable, link: Link, reason: ReauthReason): Promise<void> {
  await tx.query(`UPDATE linkage.links SET reauth_reason = $2 WHERE link_id = $1`, [link.linkId, reason]);
  await saveState(tx, link, 'needs_reauth');
}

/** Locks a link by its id. */
export async function lockLink(tx: Queryable, linkId: string): Promise<Link | null> {
  const { rows } = await tx.query<Link>(`SELECT ${linkColumns} FROM linkage.links WHERE link_id = $1 FOR UPDATE`, [
    linkId,
  ]);
  return rows[0] ?? null;
}

/** Locks a user's link that is active or whose unlinking is not confirmed yet, active first. */
export async function lockUserLink(tx: Queryable, integrationId: string, userId: string): Promise<Link | null> {
  const { rows } = await tx.query<Link>(
    `SELECT ${linkColumns} FROM linkage.links
     WHERE integration_id = $1 AND user_id = $2 AND unlinked_at IS NULL
     ORDER BY state = 'unlinked', linked_at DESC LIMIT 1 FOR UPDATE`,
    [integrationId, userId],
  );
  return rows[0] ?? null;
}

/** A link by its id. */
export async function readLink(db: Queryable, linkId: string): Promise<Link | null> {
  const { rows } = await db.query<Link>(`SELECT ${linkColumns} FROM linkage.links WHERE link_id = $1`, [linkId]);
  return rows[0] ?? null;
}

/** A user's links that are active or whose unlinking is not confirmed yet, one per integration, active first. */
export async function readUserLinks(db: Queryable, userId: string): Promise<ListedLink[]> {
  const { rows } = await db.query<ListedLink>(
    `SELECT DISTINCT ON (integration_id) ${linkColumns}, ${renewalColumns} FROM linkage.links
     WHERE user_id = $1 AND unlinked_at IS NULL
     ORDER BY integration_id, state = 'unlinked', linked_at DESC`,
    [userId],
  );
  return rows;
}

/** Whether a link of the user with an integration has ended or is ending. */
export async function hasUnlinkedLink(db: Queryable, userId: string, integrationId: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM linkage.links WHERE user_id = $1 AND integration_id = $2 AND state = 'unlinked' LIMIT 1`,
    [userId, integrationId],
  );
  return rows.length > 0;
}

/** Sets the nickname that the partner shows; it is not part of the record. */
export async function saveNickname(db: Queryable, linkId: string, nickname: string): Promise<void> {
  await db.query(`UPDATE linkage.links SET nickname = $2 WHERE link_id = $1 AND nickname <> $2`, [linkId, nickname]);
}

/**
 * Claims at most `perPartner` ready links of each active partner, except busy ones, whose user info is older than
 * `olderThanS`, so that no other instance checks them too.
 */
export async function claimUserInfoChecks(
  db: Queryable,
  { busy, only, perPartner, olderThanS }: ClaimOfPartners & { readonly olderThanS: number },
): Promise<DueLink[]> {
  const { rows } = await db.query<DueLink>(
    `WITH due AS (
       SELECT l.link_id FROM linkage.integrations i CROSS JOIN LATERAL (
         SELECT link_id FROM linkage.links
         WHERE integration_id = i.integration_id AND state = 'ready'
           AND user_info_at < now() - make_interval(secs => $4)
         ORDER BY user_info_at LIMIT $3 FOR UPDATE SKIP LOCKED) l
       WHERE i.status = 'active' AND ${isClaimedSql})
     UPDATE linkage.links l SET user_info_at = now() FROM due WHERE l.link_id = due.link_id
     RETURNING l.link_id AS "linkId", l.integration_id AS "integrationId"`,
    [busy, only, perPartner, olderThanS],
  );
  return rows;
}

/** Claims the check of one active link; false when it was checked within `olderThanS`. */
export async function claimUserInfoCheck(db: Queryable, linkId: string, olderThanS: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE linkage.links SET user_info_at = now()
     WHERE link_id = $1 AND state IN ('ready', 'refreshing', 'needs_reauth')
       AND user_info_at < now() - make_interval(secs => $2)`,
    [linkId, olderThanS],
  );
  return rowCount === 1;
}

/** A link's state of renewal, from its row `links`. */
const renewalColumns = `
  (SELECT refresh_token_enc IS NOT NULL FROM linkage.link_tokens t WHERE t.link_id = links.link_id) AS refreshable,
  CASE WHEN state = 'needs_reauth' THEN reauth_reason
    WHEN (SELECT count(*) > 1 AND bool_or(r.outcome = 'lost') FROM linkage.link_tokens t
          JOIN linkage.token_refreshes r ON r.link_id = t.link_id AND r.token_version = t.version
          WHERE t.link_id = links.link_id AND r.ended_at IS NOT NULL) THEN 'grant_state_unknown' END AS problem`;

/** A link as its user and operators see it. */
export interface ListedLink extends Link {
  /** Whether the partner gave a refresh token; null without tokens. */
  readonly refreshable: boolean | null;
  readonly problem: LinkProblem | null;
}

/** Filters of an operator's list of links. */
export interface LinkFilter {
  readonly organizers: 'all' | readonly string[];
  readonly platform: string | null;
  readonly userId: string | null;
  readonly sub: string | null;
  /** Only links after this id. */
  readonly after: string | null;
  readonly limit: number;
}

/** Links by id. */
export async function readLinksPage(db: Queryable, filter: LinkFilter): Promise<ListedLink[]> {
  const { rows } = await db.query<ListedLink>(
    `SELECT ${linkColumns}, ${renewalColumns}
     FROM linkage.links
     WHERE ($1::text[] IS NULL OR organizer_id = ANY ($1)) AND ($2::text IS NULL OR platform = $2)
       AND ($3::text IS NULL OR user_id = $3) AND ($4::text IS NULL OR sub = $4)
       AND ($5::uuid IS NULL OR link_id > $5)
     ORDER BY link_id LIMIT $6`,
    [
      filter.organizers === 'all' ? null : filter.organizers,
      filter.platform,
      filter.userId,
      filter.sub,
      filter.after,
      filter.limit,
    ],
  );
  return rows;
}

async function publishWithBarrier(tx: Queryable, link: Link): Promise<void> {
  const [outboxId] = await appendOutbox(tx, schema, [linkRecord(link)]);
  await tx.query(
    `UPDATE linkage.links
     SET barrier_outbox_id = $2, barrier_partition = NULL, barrier_offset = NULL, barrier_at = clock_timestamp()
     WHERE link_id = $1`,
    [link.linkId, outboxId],
  );
}
