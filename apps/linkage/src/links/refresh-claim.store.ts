import { Queryable } from '@podium/runtime/postgres';
import { NewTokens } from './token.store';

/** A claimed refresh; when it took over an older claim, the response to that one may be lost. */
export interface ClaimedRefresh {
  readonly afterLostResponse: boolean;
}

/**
 * One refresh per link at a time, over all instances: writes the claim before the partner is called. Null when another
 * instance holds it, or the version has changed. A claim older than the lease is taken over: its instance has stopped.
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
  return rows.length === 0 ? null : { afterLostResponse: rows[0].lost };
}

/** Ends a claim with the new pair; false when the version has changed or the link's tokens are gone. */
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

/** Ends an instance's own claim without new tokens; false when another instance has taken it over. */
export async function endRefresh(tx: Queryable, linkId: string, version: number, instance: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.link_tokens SET refresh_started_at = NULL, refresh_started_by = NULL
     WHERE link_id = $1 AND version = $2 AND refresh_started_by = $3`,
    [linkId, version, instance],
  );
  return rowCount === 1;
}

/** Links whose refresh began longer ago than the lease and did not end: their instance has stopped. */
export async function readAbandonedRefreshes(db: Queryable, leaseS: number, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ link_id: string }>(
    `SELECT link_id FROM linkage.link_tokens
     WHERE refresh_started_at < clock_timestamp() - make_interval(secs => $1)
     ORDER BY refresh_started_at LIMIT $2`,
    [leaseS, limit],
  );
  return rows.map((row) => row.link_id);
}
