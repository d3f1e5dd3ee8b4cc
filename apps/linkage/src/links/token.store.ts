import { Queryable } from '@podium/runtime/postgres';

/** A link's tokens as stored: sealed. */
export interface StoredTokens {
  readonly linkId: string;
  readonly integrationId: string;
  readonly state: string;
  /**
   * The fence: a refresh stores its pair only if the version is still the one that it read. No two generations of a link's tokens have
   * the same, also if it was ended and made again in between.
   */
  readonly version: number;
  readonly accessTokenEnc: string;
  readonly refreshTokenEnc: string | null;
  /** Whether the access token's lifetime, minus its margin, has passed. */
  readonly due: boolean;
  /** Of the integration when the tokens were issued. */
  readonly originVersion: number;
  /** Whether the integration has another version by now: then the tokens are not sent to its server. */
  readonly moved: boolean;
}

/** New tokens to store, sealed. */
export interface NewTokens {
  readonly accessTokenEnc: string;
  /** Null keeps the current one. */
  readonly refreshTokenEnc: string | null;
  /** Seconds from now until whoever needs the access token refreshes it. */
  readonly dueInS: number;
  /** Seconds from now until background work refreshes it, never less. */
  readonly refreshInS: number;
}

/** Where and when tokens of a code were issued. */
export interface TokenOrigin {
  readonly originVersion: number;
  /** Seconds since the tokens arrived. */
  readonly exchangedAgoS: number;
}

/** A link's tokens, or null when it has none any more. */
export async function readTokens(db: Queryable, linkId: string): Promise<StoredTokens | null> {
  const { rows } = await db.query<StoredTokens>(
    `SELECT t.link_id AS "linkId", l.integration_id AS "integrationId", l.state, t.version,
            t.access_token_enc AS "accessTokenEnc", t.refresh_token_enc AS "refreshTokenEnc",
            t.expires_at <= clock_timestamp() AS due, t.origin_version AS "originVersion",
            t.origin_version <> i.origin_version AS moved
     FROM linkage.link_tokens t JOIN linkage.links l USING (link_id) JOIN linkage.integrations i USING (integration_id)
     WHERE t.link_id = $1`,
    [linkId],
  );
  return rows[0] ?? null;
}

/** Whether a link has tokens of a code that was exchanged later than this one, at the same origin or one that replaced it. */
export async function hasLaterTokens(
  tx: Queryable,
  linkId: string,
  { originVersion, exchangedAgoS }: TokenOrigin,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM linkage.link_tokens
     WHERE link_id = $1 AND exchanged_at > clock_timestamp() - make_interval(secs => $2) AND origin_version >= $3`,
    [linkId, exchangedAgoS, originVersion],
  );
  return rowCount === 1;
}

/** Versions of new links begin at random, so that one does not meet those of the link before, whose row is gone. */
const firstVersion = `1 + floor(random() * 1000000000)::int`;

/** Stores the tokens of a new or renewed link with the origin that issued them; earlier ones belong to an older grant. */
export async function putTokens(
  tx: Queryable,
  linkId: string,
  tokens: NewTokens,
  { originVersion, exchangedAgoS }: TokenOrigin,
): Promise<void> {
  await tx.query(
    `INSERT INTO linkage.link_tokens AS t
       (link_id, refresh_integration_id, version, access_token_enc, refresh_token_enc, expires_at, refresh_due_at, origin_version,
        exchanged_at)
     SELECT link_id, integration_id, ${firstVersion}, $2, $3::text, clock_timestamp() + make_interval(secs => $4),
       CASE WHEN $3::text IS NOT NULL THEN clock_timestamp() + make_interval(secs => $5) END, $6,
       clock_timestamp() - make_interval(secs => $7)
     FROM linkage.links WHERE link_id = $1
     ON CONFLICT (link_id) DO UPDATE SET
       version = t.version + 1, access_token_enc = excluded.access_token_enc,
       refresh_token_enc = excluded.refresh_token_enc, previous_refresh_token_enc = NULL,
       expires_at = excluded.expires_at, refresh_started_at = NULL, refresh_started_by = NULL,
       refresh_integration_id = excluded.refresh_integration_id, refresh_due_at = excluded.refresh_due_at,
       refresh_early_from = NULL, origin_version = excluded.origin_version,
       exchanged_at = excluded.exchanged_at`,
    [
      ...[linkId, tokens.accessTokenEnc, tokens.refreshTokenEnc, tokens.dueInS, tokens.refreshInS, originVersion],
      exchangedAgoS,
    ],
  );
}
