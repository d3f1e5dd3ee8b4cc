import { Queryable } from '@podium/runtime/postgres';
import { PartnerValue } from './partner-gauge';
import { NewTokens } from './token.store';

/** A refresh of one generation of a link's tokens, held by one instance. */
export interface RefreshClaim {
  readonly linkId: string;
  readonly version: number;
  readonly instance: string;
}

/** The claim is the instance's, or it was taken from one that let it get older than the lease, and is nobody's yet. */
export type ClaimedRefresh =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'given_up'; readonly owner: { readonly instance: string; readonly begunAt: Date } };

/** Requests of one claim: the token is sent at most twice, each time with at most two client secrets. */
const requestsMax = 4;
const slackS = 5;

/**
 * Seconds after which a claim that was given up is claimed again. In this time an instance that holds a new pair comes back: it
 * tries every few seconds (`keepRefreshed`), but its first tries after an outage may meet connections that lead nowhere.
 */
const returnS = 15;

/** Seconds after which the instance of a claim should have ended it: longer than all its requests may take. */
export function leaseS(timeoutMs: number): number {
  return (timeoutMs * requestsMax) / 1000 + slackS;
}

/** The same as SQL, from an integration `i`. */
const leaseSql = `make_interval(secs => (i.profile ->> 'timeout_ms')::float8 * ${requestsMax} / 1000 + ${slackS})`;

/**
 * Whether a claim is over, as SQL: given up (`refresh_started_by` is null) since `returnS`, or older than its lease. The lease that
 * was stored with it counts too, because the timeout of the partner may have been lowered since. A claim of the release before has
 * none, or that of an earlier claim.
 */
const isOver = (lease: string): string => `refresh_started_at < clock_timestamp() - CASE WHEN refresh_started_by IS NULL
  THEN interval '${returnS} s' ELSE greatest(${lease}, make_interval(secs => refresh_lease_s)) END`;

/** Whether a claim of link_tokens `t` is still that of an instance, as SQL: if it was given up, nobody has taken it since. */
const isOwn = (instance: string): string =>
  `t.refresh_started_at IS NOT NULL AND coalesce(t.refresh_started_by, ${instance}) = ${instance}`;

/**
 * One refresh per link at a time, over all instances: writes the claim before the partner is called. Null when another
 * instance holds it, or the version has changed. A claim older than the lease is given up first. Its instance has stopped, or
 * Postgres was away for longer than the lease and it holds a new pair: only a claim after `returnS` sends the token again.
 */
export async function claimRefresh(
  tx: Queryable,
  { linkId, version, instance }: RefreshClaim,
  leaseSeconds: number,
): Promise<ClaimedRefresh | null> {
  const { rows } = await tx.query<{ at: Date; by: string | null }>(
    `WITH before AS (
       SELECT link_id, refresh_started_at, refresh_started_by FROM linkage.link_tokens
       WHERE link_id = $1 AND version = $2
         AND (refresh_started_at IS NULL OR ${isOver('make_interval(secs => $4)')})
       FOR UPDATE)
     UPDATE linkage.link_tokens t SET
       refresh_started_at = clock_timestamp(),
       refresh_started_by = CASE WHEN before.refresh_started_by IS NULL THEN $3::text END,
       refresh_lease_s = $4
     FROM before WHERE t.link_id = before.link_id
     RETURNING before.refresh_started_at AS at, before.refresh_started_by AS by`,
    [linkId, version, instance, leaseSeconds],
  );
  if (rows.length === 0) return null;
  const [{ at, by }] = rows;
  return by === null ? { kind: 'claimed' } : { kind: 'given_up', owner: { instance: by, begunAt: at } };
}

/** Extends an instance's own claim, or takes it back after it was given up; false when it is another's or has ended. */
export async function extendClaim(tx: Queryable, { linkId, version, instance }: RefreshClaim): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens t SET refresh_started_at = clock_timestamp(), refresh_started_by = $3
     WHERE link_id = $1 AND version = $2 AND ${isOwn('$3')}`,
    [linkId, version, instance],
  );
  return rowCount === 1;
}

/**
 * Ends a claim with the new pair; false when the version has changed or the link's tokens are gone. No generation before the
 * current one is kept: a partner that detects reuse ends the grant of whoever sends it.
 */
export async function saveRefreshed(
  tx: Queryable,
  { linkId, version }: RefreshClaim,
  tokens: NewTokens,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens t SET
       version = t.version + 1, access_token_enc = $3, refresh_token_enc = coalesce($4, refresh_token_enc),
       previous_refresh_token_enc = NULL, expires_at = clock_timestamp() + make_interval(secs => $5),
       refresh_due_at = clock_timestamp() + make_interval(secs => $6), refresh_integration_id = l.integration_id,
       refresh_early_from = NULL, refresh_started_at = NULL, refresh_started_by = NULL
     FROM linkage.links l WHERE t.link_id = $1 AND t.version = $2 AND l.link_id = t.link_id`,
    [linkId, version, tokens.accessTokenEnc, tokens.refreshTokenEnc, tokens.dueInS, tokens.refreshInS],
  );
  return rowCount === 1;
}

/**
 * Ends an instance's own claim without new tokens; background work sends the token again after `retryInS`, and not before
 * the time that the partner asked for. False when another instance has taken the claim over.
 */
export async function endRefresh(
  tx: Queryable,
  { linkId, version, instance }: RefreshClaim,
  { retryInS, retryAfterS = 0 }: { retryInS: number; retryAfterS?: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens t SET
       refresh_started_at = NULL, refresh_started_by = NULL, refresh_integration_id = l.integration_id,
       refresh_due_at = clock_timestamp() + make_interval(secs => $4),
       refresh_early_from = clock_timestamp() + make_interval(secs => $5)
     FROM linkage.links l
     WHERE t.link_id = $1 AND t.version = $2 AND ${isOwn('$3')} AND l.link_id = t.link_id`,
    [linkId, version, instance, retryInS, retryAfterS],
  );
  return rowCount === 1;
}

/** Ends every refresh of a link whose tokens are not used any more. */
export async function stopRefreshing(tx: Queryable, linkId: string): Promise<void> {
  await tx.query(
    `UPDATE linkage.link_tokens SET refresh_started_at = NULL, refresh_started_by = NULL, refresh_due_at = NULL,
       refresh_early_from = NULL
     WHERE link_id = $1`,
    [linkId],
  );
}

/** Links whose refresh began longer ago than its lease and did not end, to be given up, or to be sent after `returnS`. */
export async function readAbandonedRefreshes(db: Queryable, limit: number): Promise<DueRefresh[]> {
  const { rows } = await db.query<DueRefresh>(
    `SELECT t.link_id AS "linkId", l.integration_id AS "integrationId", t.version
     FROM linkage.link_tokens t JOIN linkage.links l USING (link_id)
     JOIN linkage.integrations i ON i.integration_id = l.integration_id
     WHERE ${isOver(leaseSql)} AND l.state IN ('ready', 'refreshing')
     ORDER BY t.refresh_started_at LIMIT $1`,
    [limit],
  );
  return rows;
}

/** A link with work that is due at its partner. */
export interface DueLink {
  readonly linkId: string;
  readonly integrationId: string;
}

/** A link with a refresh that is due, of the generation of tokens that was found. */
export interface DueRefresh extends DueLink {
  readonly version: number;
}

/** Whose due work is claimed, and how much of it. */
export interface ClaimOfPartners {
  /** Partners whose work is not claimed, by integration. */
  readonly busy: readonly string[];
  /** The only partner whose work is claimed; null for all that are not busy. */
  readonly only: string | null;
  readonly perPartner: number;
}

/** The partners of a claim as SQL, from an integration `i`, with `busy` and `only` as $1 and $2. */
export const isClaimedSql = `(i.integration_id = $2::uuid OR ($2::uuid IS NULL AND i.integration_id <> ALL ($1::uuid[])))`;

/**
 * Claims at most `perPartner` due refreshes of each active partner, except busy ones: they are due again after `againInS`,
 * so that no other instance takes them now, and none is lost with this one.
 */
export async function claimDueRefreshes(
  db: Queryable,
  { busy, only, perPartner, againInS }: ClaimOfPartners & { readonly againInS: number },
): Promise<DueRefresh[]> {
  const { rows } = await db.query<DueRefresh>(
    `WITH due AS (
       SELECT t.link_id FROM linkage.integrations i CROSS JOIN LATERAL (
         SELECT link_id FROM linkage.link_tokens
         WHERE refresh_integration_id = i.integration_id AND refresh_due_at <= clock_timestamp() AND refresh_started_at IS NULL
         ORDER BY refresh_due_at LIMIT $3 FOR UPDATE SKIP LOCKED) t
       WHERE i.status = 'active' AND ${isClaimedSql})
     UPDATE linkage.link_tokens t
     SET refresh_due_at = clock_timestamp() + make_interval(secs => $4 * (1 + random())), refresh_early_from = NULL
     FROM due WHERE t.link_id = due.link_id
     RETURNING t.link_id AS "linkId", t.refresh_integration_id AS "integrationId", t.version`,
    [busy, only, perPartner, againInS],
  );
  return rows;
}

/** How long a refresh of each active partner has been due without a claim, the longest, seconds; 0 when none is due. */
export async function readOverdueRefreshes(db: Queryable): Promise<PartnerValue[]> {
  const { rows } = await db.query<PartnerValue>(
    `SELECT i.platform, coalesce(extract(epoch FROM clock_timestamp() - (
         SELECT refresh_due_at FROM linkage.link_tokens
         WHERE refresh_integration_id = i.integration_id AND refresh_due_at <= clock_timestamp() AND refresh_started_at IS NULL
         ORDER BY refresh_due_at LIMIT 1)), 0)::float8 AS value
     FROM linkage.integrations i WHERE i.status = 'active'`,
  );
  return rows;
}
