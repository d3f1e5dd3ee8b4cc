import { ApiKeyData, IntegrationData, eventRatePerSecond } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { defaultProfile } from '../../integrations/apply-changes';

/** A published state with the revision of its record and the time of publication, Unix milliseconds. */
export interface ToldState<Data> {
  readonly revision: number;
  readonly atMs: number;
  readonly data: Data;
}

/**
 * Adds an integration that only the topic has, as paused. No topic contains the address, name and secret of the partner's
 * server, so these stay empty until an operator enters them. Returns false when the integration exists.
 */
export async function addIntegration(tx: Queryable, { data, atMs }: ToldState<IntegrationData>): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.integrations (integration_id, platform, partner, organizer_id, display_name, status,
       authorization_url, base_url, client_id, client_secret_enc, event_rate_per_second, profile, version, created_at)
     VALUES ($1, $2, $3, $4, $2, 'paused', '', '', '', '', $5, $6, 1, $7)
     ON CONFLICT DO NOTHING`,
    [
      data.integration_id,
      data.platform,
      data.partner,
      data.organizer_id,
      rateOf(data),
      JSON.stringify(defaultProfile),
      new Date(atMs),
    ],
  );
  return rowCount === 1;
}

/**
 * Sets the published status and rate and returns the status; null when the integration has them already. One that is not
 * complete yet stays paused: the topic may still have its status of before.
 */
export async function takeStatusAndRate(
  tx: Queryable,
  data: IntegrationData,
): Promise<IntegrationData['status'] | null> {
  const { rows } = await tx.query<Pick<IntegrationData, 'status'>>(
    `UPDATE linkage.integrations AS i SET status = told.status, event_rate_per_second = $3, version = version + 1,
       updated_at = now()
     FROM (
       SELECT integration_id,
         CASE WHEN '' IN (authorization_url, base_url, client_id, client_secret_enc) THEN 'paused' ELSE $2 END AS status
       FROM linkage.integrations WHERE integration_id = $1) AS told
     WHERE i.integration_id = told.integration_id AND (i.status, i.event_rate_per_second) <> (told.status, $3)
     RETURNING i.status`,
    [data.integration_id, data.status, rateOf(data)],
  );
  return rows.at(0)?.status ?? null;
}

/** The published rate, requests per second. */
export function rateOf({ rate_per_second = eventRatePerSecond }: IntegrationData): number {
  return rate_per_second;
}

/** Adds missing versions of the contract and returns how many were added. */
export async function addContracts(tx: Queryable, published: ToldState<IntegrationData>, by: string): Promise<number> {
  const { integration_id, contracts } = published.data;
  const { rowCount } = await tx.query(
    `INSERT INTO linkage.contracts (integration_id, version, events, in_force_from, outbox_id, created_at, created_by)
     SELECT $1, version, events, in_force_from, $5, $6, $7
     FROM unnest($2::int[], $3::jsonb[], $4::timestamptz[]) AS published (version, events, in_force_from)
     ON CONFLICT DO NOTHING`,
    [
      integration_id,
      contracts.map(({ version }) => version),
      contracts.map(({ events }) => JSON.stringify(events)),
      contracts.map(({ in_force_from }) => new Date(in_force_from)),
      published.revision,
      new Date(published.atMs),
      by,
    ],
  );
  return rowCount ?? 0;
}

/** How many keys of the topic were missing from the table, and how many differed. */
export interface RestoredKeys {
  readonly added: number;
  readonly changed: number;
}

/**
 * Adds missing keys and updates expiry, revocation, scopes and rate of keys that differ. No topic has the names of data keys,
 * and one is rotated only while no other live one has its name: a restored one gets a name of its own.
 */
export async function takeKeys(
  tx: Queryable,
  published: readonly ToldState<ApiKeyData>[],
  by: string,
): Promise<RestoredKeys> {
  const column = <T>(read: (data: ApiKeyData) => T): T[] => published.map(({ data }) => read(data));
  const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  const { rows } = await tx.query<{ is_new: boolean }>(
    `INSERT INTO linkage.api_keys AS stored (key_id, kind, format, hash, integration_id, name, scopes, event_scopes,
       rate_per_second, not_after, revoked_at, created_at, created_by)
     SELECT key_id, kind, CASE format WHEN 'uuid' THEN 'uuid' ELSE 'podium' END, hash, integration_id,
       CASE kind WHEN 'data' THEN 'restored ' || key_id END, scopes, event_scopes, rate_per_second, not_after, revoked_at,
       created_at, $11
     FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::jsonb[], $6::jsonb[], $7::int[],
         $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $12::text[])
       AS published (key_id, kind, hash, integration_id, scopes, event_scopes, rate_per_second, not_after, revoked_at,
         created_at, format)
     WHERE integration_id IS NULL
       OR EXISTS (SELECT 1 FROM linkage.integrations AS i WHERE i.integration_id = published.integration_id)
     ON CONFLICT (key_id) DO UPDATE SET scopes = excluded.scopes, event_scopes = excluded.event_scopes,
       rate_per_second = excluded.rate_per_second, not_after = excluded.not_after,
       revoked_at = excluded.revoked_at
     WHERE (stored.scopes, stored.event_scopes, stored.rate_per_second, stored.not_after, stored.revoked_at) IS DISTINCT FROM
       (excluded.scopes, excluded.event_scopes, excluded.rate_per_second, excluded.not_after, excluded.revoked_at)
     RETURNING xmax = 0 AS is_new`,
    [
      column((data) => data.key_id),
      column((data) => data.kind),
      column((data) => data.hash),
      column((data) => data.integration_id),
      column((data) => JSON.stringify(data.scopes)),
      column((data) => (data.event_scopes === undefined ? null : JSON.stringify(data.event_scopes))),
      column((data) => data.rate_per_second),
      column((data) => time(data.not_after)),
      column((data) => time(data.revoked_at)),
      published.map(({ atMs }) => new Date(atMs)),
      by,
      column((data) => data.format ?? null),
    ],
  );
  const added = rows.filter((row) => row.is_new).length;
  return { added, changed: rows.length - added };
}
