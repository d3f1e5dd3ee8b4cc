import { Queryable } from '@podium/runtime/postgres';

/** A link's tokens as stored: sealed. */
export interface StoredTokens {
  readonly linkId: string;
  readonly integrationId: string;
  readonly state: string;
  /** The fence: a refresh stores its pair only over the version that it read. */
  readonly version: number;
  readonly accessTokenEnc: string;
  readonly refreshTokenEnc: string | null;
  readonly previousRefreshTokenEnc: string | null;
  /** Whether the access token's time, less its margin, is over. */
  readonly due: boolean;
  /** Of the integration when the tokens were issued. */
  readonly originVersion: number;
  /** Whether the integration has another one by now: the tokens are not sent to its server. */
  readonly moved: boolean;
}

/** A refresh that was claimed; an older claim without an end is one whose answer may be lost. */
export interface ClaimedRefresh {
  readonly afterLostAnswer: boolean;
}

/** New tokens to keep, sealed. */
export interface NewTokens {
  readonly accessTokenEnc: string;
  /** Null keeps the present one. */
  readonly refreshTokenEnc: string | null;
  /** Seconds from now until a refresh is due. */
  readonly dueInS: number;
}

/** A link's tokens, or null when it has none any more. */
export async function readTokens(db: Queryable, linkId: string): Promise<StoredTokens | null> {
  const { rows } = await db.query<StoredTokens>(
    `SELECT t.link_id AS "linkId", l.integration_id AS "integrationId", l.state, t.version,
            t.access_token_enc AS "accessTokenEnc", t.refresh_token_enc AS "refreshTokenEnc",
            t.previous_refresh_token_enc AS "previousRefreshTokenEnc", t.expires_at <= clock_timestamp() AS due,
            t.origin_version AS "originVersion", t.origin_version <> i.origin_version AS moved
     FROM linkage.link_tokens t JOIN linkage.links l USING (link_id) JOIN linkage.integrations i USING (integration_id)
     WHERE t.link_id = $1`,
    [linkId],
  );
  return rows[0] ?? null;
}

/** Keeps the tokens of a new or renewed link with the origin that issued them; what was there belongs to an older grant. */
export async function putTokens(
  tx: Queryable,
  linkId: string,
  tokens: NewTokens,
  originVersion: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO linkage.link_tokens AS t (link_id, version, access_token_enc, refresh_token_enc, expires_at, origin_version)
     VALUES ($1, 1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5)
     ON CONFLICT (link_id) DO UPDATE SET
       version = t.version + 1, access_token_enc = excluded.access_token_enc,
       refresh_token_enc = excluded.refresh_token_enc, previous_refresh_token_enc = NULL,
       expires_at = excluded.expires_at, refresh_started_at = NULL, refresh_started_by = NULL,
       origin_version = excluded.origin_version`,
    [linkId, tokens.accessTokenEnc, tokens.refreshTokenEnc, tokens.dueInS, originVersion],
  );
}

/**
 * Writes the intent to refresh before the partner is asked. Null when another instance holds it, or the version moved.
 * An intent older than the lease is taken over: its instance is gone.
 */
export async function claimRefresh(
  tx: Queryable,
  claim: { linkId: string; version: number; instance: string; leaseS: number },
): Promise<ClaimedRefresh | null> {
  const { rows } = await tx.query<{ lost: boolean }>(
    `WITH before AS (
       SELECT link_id, refresh_started_at FROM linkage.link_tokens
       WHERE link_id = $1 AND version = $2
         AND (refresh_started_at IS NULL OR refresh_started_at < clock_timestamp() - make_interval(secs => $4))
       FOR UPDATE)
     UPDATE linkage.link_tokens t SET refresh_started_at = clock_timestamp(), refresh_started_by = $3
     FROM before WHERE t.link_id = before.link_id
     RETURNING before.refresh_started_at IS NOT NULL AS lost`,
    [claim.linkId, claim.version, claim.instance, claim.leaseS],
  );
  return rows.length === 0 ? null : { afterLostAnswer: rows[0].lost };
}

/** Ends an intent with the new pair; false when the version moved or the link's tokens are gone. */
export async function saveRefreshed(
  tx: Queryable,
  linkId: string,
  version: number,
  tokens: NewTokens,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens SET
       version = version + 1, access_token_enc = $3,
       previous_refresh_token_enc = CASE WHEN $4::text IS NULL THEN previous_refresh_token_enc ELSE refresh_token_enc END,
       refresh_token_enc = coalesce($4, refresh_token_enc),
       expires_at = clock_timestamp() + make_interval(secs => $5), refresh_started_at = NULL, refresh_started_by = NULL
     WHERE link_id = $1 AND version = $2`,
    [linkId, version, tokens.accessTokenEnc, tokens.refreshTokenEnc, tokens.dueInS],
  );
  return rowCount === 1;
}

/** Ends an instance's own intent without new tokens; false when it is no longer its own. */
export async function endRefresh(tx: Queryable, linkId: string, version: number, instance: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens SET refresh_started_at = NULL, refresh_started_by = NULL
     WHERE link_id = $1 AND version = $2 AND refresh_started_by = $3`,
    [linkId, version, instance],
  );
  return rowCount === 1;
}

/** Links whose refresh began longer ago than the lease and never ended: their instance is gone. */
export async function readAbandonedRefreshes(db: Queryable, leaseS: number, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ link_id: string }>(
    `SELECT link_id FROM linkage.link_tokens
     WHERE refresh_started_at < clock_timestamp() - make_interval(secs => $1)
     ORDER BY refresh_started_at LIMIT $2`,
    [leaseS, limit],
  );
  return rows.map((row) => row.link_id);
}
