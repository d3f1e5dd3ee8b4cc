import { Queryable } from '@podium/runtime/postgres';
import { callbackLifetimeS } from '../browser/flow-lifetimes';

/** An open linking flow; it is useless without the user's browser and session. */
export interface Flow {
  /** SHA-256 of the state. */
  readonly stateHash: Buffer;
  readonly integrationId: string;
  readonly userId: string;
  /** SHA-256 of the session that began it. */
  readonly sessionHash: Buffer;
  /** SHA-256 of the browser's cookie. */
  readonly browserHash: Buffer;
  /** Sealed; null without PKCE. */
  readonly codeVerifierEnc: string | null;
  readonly returnTo: string | null;
  /** Of the integration when the flow began: a code is sent only to the server that issued it. */
  readonly originVersion: number;
  /** As sent in the authorization request; the token request repeats it. Null in flows of the release before. */
  readonly redirectUri: string | null;
  /** The test link of an operator that this flow belongs to; nothing of it is stored. Null for users. */
  readonly testLinkId: string | null;
}

/** A used flow: it cannot be used again, even if it had expired. */
export type TakenFlow = Flow & {
  readonly createdAt: Date;
  readonly expired: boolean;
  /** Of the callback that has begun; `endCallback` ends it. */
  readonly callbackId: string;
};

const columns = `
  state_hash AS "stateHash", integration_id AS "integrationId", user_id AS "userId", session_hash AS "sessionHash",
  browser_hash AS "browserHash", code_verifier_enc AS "codeVerifierEnc", return_to AS "returnTo",
  origin_version AS "originVersion", redirect_uri AS "redirectUri", test_link_id AS "testLinkId", created_at AS "createdAt", expires_at <= now() AS expired`;

/** Begins a flow and ends the user's oldest flows beyond `openMax`, so that a user who clicks often is never locked out. */
export async function insertFlow(
  tx: Queryable,
  flow: Flow,
  limits: { lifetimeS: number; openMax: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO linkage.oauth_flows
       (state_hash, integration_id, user_id, session_hash, browser_hash, code_verifier_enc, return_to, origin_version,
        redirect_uri, test_link_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(),
       clock_timestamp() + make_interval(secs => $11))`,
    [
      flow.stateHash,
      flow.integrationId,
      flow.userId,
      flow.sessionHash,
      flow.browserHash,
      flow.codeVerifierEnc,
      flow.returnTo,
      flow.originVersion,
      flow.redirectUri,
      flow.testLinkId,
      limits.lifetimeS,
    ],
  );
  await tx.query(
    `DELETE FROM linkage.oauth_flows WHERE state_hash IN (
       SELECT state_hash FROM linkage.oauth_flows WHERE user_id = $1 ORDER BY created_at DESC OFFSET $2)`,
    [flow.userId, limits.openMax],
  );
}

/** Takes the flow that fulfils the condition, and notes in the same statement that its callback has begun. */
const take = (condition: string): string =>
  `WITH taken AS (DELETE FROM linkage.oauth_flows WHERE ${condition} RETURNING *),
   begun AS (
     INSERT INTO linkage.flow_callbacks (integration_id, user_id) SELECT integration_id, user_id FROM taken
     RETURNING callback_id)
   SELECT ${columns}, callback_id AS "callbackId" FROM taken CROSS JOIN begun`;

/**
 * Uses a state exactly once, even if two requests arrive at the same time. Another browser or integration does not find it,
 * and therefore cannot end it.
 */
export async function takeFlow(
  db: Queryable,
  key: Pick<Flow, 'stateHash' | 'integrationId' | 'browserHash'>,
): Promise<TakenFlow | null> {
  const { rows } = await db.query<TakenFlow>(take(`state_hash = $1 AND integration_id = $2 AND browser_hash = $3`), [
    key.stateHash,
    key.integrationId,
    key.browserHash,
  ]);
  return rows[0] ?? null;
}

/** Ends the newest flow of a browser with an integration: a failed redirect may have no state (specification). */
export async function takeNewestFlow(
  db: Queryable,
  key: Pick<Flow, 'integrationId' | 'browserHash'>,
): Promise<TakenFlow | null> {
  const { rows } = await db.query<TakenFlow>(
    take(`state_hash = (
       SELECT state_hash FROM linkage.oauth_flows WHERE integration_id = $1 AND browser_hash = $2
       ORDER BY created_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)`),
    [key.integrationId, key.browserHash],
  );
  return rows[0] ?? null;
}

/** Notes that a callback has stored its link, or will not. */
export async function endCallback(db: Queryable, callbackId: string): Promise<void> {
  await db.query(`DELETE FROM linkage.flow_callbacks WHERE callback_id = $1`, [callbackId]);
}

/** Deletes at most `limit` expired flows, and as many callbacks whose instance has stopped. */
export async function deleteExpiredFlows(db: Queryable, limit: number): Promise<void> {
  await db.query(
    `DELETE FROM linkage.oauth_flows WHERE state_hash IN (
       SELECT state_hash FROM linkage.oauth_flows WHERE expires_at < now() - interval '1 hour' LIMIT $1)`,
    [limit],
  );
  await db.query(
    `DELETE FROM linkage.flow_callbacks WHERE callback_id IN (
       SELECT callback_id FROM linkage.flow_callbacks WHERE begun_at < now() - make_interval(secs => $2) LIMIT $1)`,
    [limit, callbackLifetimeS],
  );
}
