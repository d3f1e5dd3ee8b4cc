import { Queryable } from '@podium/runtime/postgres';
import { callbackLifetimeS } from '../browser/flow-lifetimes';
import { ClaimOfPartners, DueLink, isClaimedSql } from './refresh-claim.store';

/** Tokens to revoke, sealed as in the link's row. */
export interface Revocation extends DueLink {
  readonly revocationId: number;
  readonly originVersion: number;
  readonly accessTokenEnc: string;
  readonly refreshTokenEnc: string | null;
  /** Identifies the claim: it changes when the revocation is held or claimed again. */
  readonly claimedUntil: string;
  /** Attempts before this one. */
  readonly attempts: number;
  /** Whether it is older than the limit, so that this attempt is the last one. */
  readonly isLast: boolean;
}

/** A claimed revocation. */
export type RevocationClaim = Pick<Revocation, 'revocationId' | 'claimedUntil'>;

/** After this time a revocation that fails is given up, seconds. */
const revokeWithinS = 86_400;

/**
 * When tokens of a link may be revoked, as SQL: now, or after the user's flows with the partner and their callbacks, open or under
 * way. Until those end nothing says whether the account is linked again.
 */
const dueAt = (linkId: string): string => `greatest(clock_timestamp(), (
  SELECT max(each.until) + interval '${callbackLifetimeS} s' FROM linkage.links owned CROSS JOIN LATERAL (
    SELECT expires_at AS until FROM linkage.oauth_flows f
    WHERE f.user_id = owned.user_id AND f.integration_id = owned.integration_id
    UNION ALL
    SELECT begun_at FROM linkage.flow_callbacks c
    WHERE c.user_id = owned.user_id AND c.integration_id = owned.integration_id) each
  WHERE owned.link_id = ${linkId}))`;

/** Moves the tokens of locked links to the queue if their partner can revoke them; then they are deleted from the links. */
export async function queueRevocations(tx: Queryable, linkIds: readonly string[]): Promise<void> {
  await tx.query(
    `WITH ended AS (DELETE FROM linkage.link_tokens WHERE link_id = ANY ($1::uuid[]) RETURNING *)
     INSERT INTO linkage.token_revocations
       (link_id, integration_id, origin_version, access_token_enc, refresh_token_enc, due_at)
     SELECT e.link_id, i.integration_id, e.origin_version, e.access_token_enc, e.refresh_token_enc, ${dueAt('e.link_id')}
     FROM ended e JOIN linkage.links l ON l.link_id = e.link_id
     JOIN linkage.integrations i ON i.integration_id = l.integration_id
     WHERE i.profile ->> 'revocation_path' IS NOT NULL AND i.origin_version = e.origin_version`,
    [linkIds],
  );
}

/** Tokens that no link's row has. */
export interface UnstoredTokens extends DueLink {
  readonly originVersion: number;
  readonly accessTokenEnc: string;
  readonly refreshTokenEnc: string;
}

/** Queues tokens that were never stored if their partner can revoke them; returns whether they are queued. */
export async function queueUnstored(tx: Queryable, tokens: UnstoredTokens): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.token_revocations
       (link_id, integration_id, origin_version, access_token_enc, refresh_token_enc, due_at)
     SELECT $1, integration_id, origin_version, $4, $5, ${dueAt('$1')} FROM linkage.integrations
     WHERE integration_id = $2 AND origin_version = $3 AND profile ->> 'revocation_path' IS NOT NULL`,
    [tokens.linkId, tokens.integrationId, tokens.originVersion, tokens.accessTokenEnc, tokens.refreshTokenEnc],
  );
  return rowCount === 1;
}

/**
 * Drops what is queued of an account that is linked again, of whichever user: many servers keep one grant per account and client,
 * and with a former token they would end that of the new link. What an erasure has queued stays: it names no account.
 */
export async function dropRevocations(tx: Queryable, account: { platform: string; sub: string }): Promise<void> {
  await tx.query(
    `DELETE FROM linkage.token_revocations WHERE revocation_id IN (
       SELECT r.revocation_id FROM linkage.links l JOIN linkage.token_revocations r USING (link_id)
       WHERE l.platform = $1 AND l.sub = $2 ORDER BY r.revocation_id FOR UPDATE OF r)`,
    [account.platform, account.sub],
  );
}

/**
 * Holds what is queued of a user's links with a partner for `forS` seconds, at most until `revokeWithinS` is over; a claim of it
 * ends. For the time of a flow: between the code and the link nothing says yet that the account is linked again.
 */
export async function holdRevocations(
  tx: Queryable,
  hold: { userId: string; integrationId: string; forS: number },
): Promise<void> {
  await tx.query(
    `UPDATE linkage.token_revocations SET due_at = greatest(due_at, least(
       clock_timestamp() + make_interval(secs => $3), requested_at + make_interval(secs => $4)))
     WHERE revocation_id IN (
       SELECT r.revocation_id FROM linkage.links l JOIN linkage.token_revocations r USING (link_id)
       WHERE l.user_id = $1 AND l.integration_id = $2 ORDER BY r.revocation_id FOR UPDATE OF r)`,
    [hold.userId, hold.integrationId, hold.forS, revokeWithinS],
  );
}

/**
 * Claims at most `perPartner` due revocations of each partner, paused or not, except busy ones; they are due again after
 * `againInS`. A pause lets nobody link; a grant that has ended here ends at the partner all the same.
 */
export async function claimDueRevocations(
  db: Queryable,
  { busy, only, perPartner, againInS }: ClaimOfPartners & { readonly againInS: number },
): Promise<Revocation[]> {
  const { rows } = await db.query<Revocation>(
    `WITH due AS (
       SELECT r.revocation_id FROM linkage.integrations i CROSS JOIN LATERAL (
         SELECT revocation_id FROM linkage.token_revocations
         WHERE integration_id = i.integration_id AND due_at <= clock_timestamp()
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) r
       WHERE ${isClaimedSql})
     UPDATE linkage.token_revocations r
     SET due_at = clock_timestamp() + make_interval(secs => $4), attempts = attempts + 1
     FROM due WHERE r.revocation_id = due.revocation_id
     RETURNING r.revocation_id AS "revocationId", r.link_id AS "linkId", r.integration_id AS "integrationId",
       r.origin_version AS "originVersion", r.access_token_enc AS "accessTokenEnc",
       r.refresh_token_enc AS "refreshTokenEnc", r.due_at::text AS "claimedUntil", r.attempts - 1 AS attempts,
       r.requested_at < clock_timestamp() - make_interval(secs => $5) AS "isLast"`,
    [busy, only, perPartner, againInS, revokeWithinS],
  );
  return rows;
}

/**
 * Whether a claimed revocation, which may have waited for its turn, is still to be sent: `linked` when its account has an active
 * link, `not_claimed` when it was dropped, held or claimed again.
 */
export async function confirmClaim(
  db: Queryable,
  { revocationId, claimedUntil }: RevocationClaim,
): Promise<'wanted' | 'linked' | 'not_claimed'> {
  const { rows } = await db.query<{ isLinked: boolean }>(
    `SELECT EXISTS (
       SELECT FROM linkage.links ended JOIN linkage.links l ON l.platform = ended.platform AND l.sub = ended.sub
       WHERE ended.link_id = r.link_id AND l.state <> 'unlinked') AS "isLinked"
     FROM linkage.token_revocations r WHERE r.revocation_id = $1 AND r.due_at = $2::timestamptz`,
    [revocationId, claimedUntil],
  );
  if (rows.length === 0) return 'not_claimed';
  return rows[0].isLinked ? 'linked' : 'wanted';
}

/** Ends a claim: sets when the revocation is attempted again. No effect if it was held meanwhile. */
export async function delayRevocation(
  db: Queryable,
  { revocationId, claimedUntil }: RevocationClaim,
  inS: number,
): Promise<void> {
  await db.query(
    `UPDATE linkage.token_revocations SET due_at = clock_timestamp() + make_interval(secs => $3)
     WHERE revocation_id = $1 AND due_at = $2::timestamptz`,
    [revocationId, claimedUntil, inS],
  );
}

/** Deletes a revocation with its tokens. */
export async function deleteRevocation(db: Queryable, revocationId: number): Promise<void> {
  await db.query(`DELETE FROM linkage.token_revocations WHERE revocation_id = $1`, [revocationId]);
}
