import { Queryable } from '@podium/runtime/postgres';
import type { DueLink } from './refresh-claim.store';

/** Tokens to revoke, sealed as in the link's row. */
export interface Revocation extends DueLink {
  readonly revocationId: number;
  readonly originVersion: number;
  readonly accessTokenEnc: string;
  readonly refreshTokenEnc: string | null;
  /** Attempts before this one. */
  readonly attempts: number;
  /** Whether it is older than the limit, so that this attempt is the last one. */
  readonly isLast: boolean;
}

/** Moves the tokens of locked links to the queue if their partner can revoke them; then they are deleted from the links. */
export async function queueRevocations(tx: Queryable, linkIds: readonly string[]): Promise<void> {
  await tx.query(
    `WITH ended AS (DELETE FROM linkage.link_tokens WHERE link_id = ANY ($1::uuid[]) RETURNING *)
     INSERT INTO linkage.token_revocations
       (link_id, integration_id, origin_version, access_token_enc, refresh_token_enc)
     SELECT e.link_id, i.integration_id, e.origin_version, e.access_token_enc, e.refresh_token_enc
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
       (link_id, integration_id, origin_version, access_token_enc, refresh_token_enc)
     SELECT $1, integration_id, origin_version, $4, $5 FROM linkage.integrations
     WHERE integration_id = $2 AND origin_version = $3 AND profile ->> 'revocation_path' IS NOT NULL`,
    [tokens.linkId, tokens.integrationId, tokens.originVersion, tokens.accessTokenEnc, tokens.refreshTokenEnc],
  );
  return rowCount === 1;
}

/** Claims at most `perPartner` due revocations of each active partner, except busy ones; they are due again after `againInS`. */
export async function claimDueRevocations(
  db: Queryable,
  claim: { busy: readonly string[]; perPartner: number; againInS: number; lastAfterS: number },
): Promise<Revocation[]> {
  const { rows } = await db.query<Revocation>(
    `WITH due AS (
       SELECT r.revocation_id FROM linkage.integrations i CROSS JOIN LATERAL (
         SELECT revocation_id FROM linkage.token_revocations
         WHERE integration_id = i.integration_id AND due_at <= clock_timestamp()
         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) r
       WHERE i.integration_id <> ALL ($1::uuid[]))
     UPDATE linkage.token_revocations r
     SET due_at = clock_timestamp() + make_interval(secs => $3), attempts = attempts + 1
     FROM due WHERE r.revocation_id = due.revocation_id
     RETURNING r.revocation_id AS "revocationId", r.link_id AS "linkId", r.integration_id AS "integrationId",
       r.origin_version AS "originVersion", r.access_token_enc AS "accessTokenEnc",
       r.refresh_token_enc AS "refreshTokenEnc", r.attempts - 1 AS attempts,
       r.requested_at < clock_timestamp() - make_interval(secs => $4) AS "isLast"`,
    [claim.busy, claim.perPartner, claim.againInS, claim.lastAfterS],
  );
  return rows;
}

/** Sets when a revocation is attempted again. */
export async function delayRevocation(db: Queryable, revocationId: number, inS: number): Promise<void> {
  await db.query(
    `UPDATE linkage.token_revocations SET due_at = clock_timestamp() + make_interval(secs => $2)
     WHERE revocation_id = $1`,
    [revocationId, inS],
  );
}

/** Deletes a revocation with its tokens. */
export async function deleteRevocation(db: Queryable, revocationId: number): Promise<void> {
  await db.query(`DELETE FROM linkage.token_revocations WHERE revocation_id = $1`, [revocationId]);
}
