import { Queryable } from '@podium/runtime/postgres';

/** How many sealed texts are under a key. */
export interface SealedUnder {
  readonly keyId: string;
  readonly sealed: number;
}

/**
 * Number of sealed texts by key id, except under one key. Rows under that key are not counted, because they are many and
 * this query reads whole tables. The secret of a restored integration is empty until it is entered again, and not sealed.
 */
export async function sealedUnderOthers(db: Queryable, keyId: string): Promise<SealedUnder[]> {
  const { rows } = await db.query<SealedUnder>(
    `SELECT split_part(sealed, '.', 2) AS "keyId", count(*) AS sealed
     FROM (
       SELECT unnest(ARRAY[access_token_enc, refresh_token_enc, previous_refresh_token_enc]) AS sealed
       FROM linkage.link_tokens
       WHERE NOT (starts_with(access_token_enc, $1)
         AND starts_with(coalesce(refresh_token_enc, $1), $1)
         AND starts_with(coalesce(previous_refresh_token_enc, $1), $1))
       UNION ALL
       SELECT unnest(ARRAY[nullif(client_secret_enc, ''), previous_client_secret_enc]) FROM linkage.integrations
       UNION ALL
       SELECT unnest(ARRAY[access_token_enc, refresh_token_enc]) FROM linkage.token_revocations
       UNION ALL
       SELECT code_verifier_enc FROM linkage.oauth_flows WHERE expires_at > now()
       UNION ALL
       SELECT unnest(ARRAY[log_in_url_enc, entry_enc, return_enc]) FROM linkage.partner_checks
       WHERE status = 'waiting_for_log_in'
     ) AS every
     WHERE NOT starts_with(sealed, $1)
     GROUP BY 1 ORDER BY 1`,
    [`v1.${keyId}.`],
  );
  return rows;
}
