import { Queryable } from '@podium/runtime/postgres';
import { DueRefresh } from './refresh-claim.store';

/** A refresh that failed and waits; the release before clears `refresh_due_at` only when a link needs a log-in. */
const isFailed = `refresh_early_from IS NOT NULL AND refresh_due_at IS NOT NULL AND refresh_started_at IS NULL`;

/** Which of these partners have refreshes that failed and wait. */
export async function readPartnersWithFailed(db: Queryable, integrationIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT p.id FROM unnest($1::uuid[]) AS p (id) WHERE EXISTS (
       SELECT FROM linkage.link_tokens WHERE refresh_integration_id = p.id AND ${isFailed})`,
    [integrationIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Claims the link of each partner that has waited longest and may be sent early; none of a partner without such a link. */
export async function claimProbes(
  db: Queryable,
  claim: { integrationIds: readonly string[]; againInS: number },
): Promise<DueRefresh[]> {
  const { rows } = await db.query<DueRefresh>(
    `WITH probe AS (
       SELECT t.link_id FROM linkage.integrations i CROSS JOIN LATERAL (
         SELECT link_id FROM linkage.link_tokens
         WHERE refresh_integration_id = i.integration_id AND ${isFailed} AND refresh_early_from <= clock_timestamp()
         ORDER BY refresh_early_from LIMIT 1 FOR UPDATE SKIP LOCKED) t
       WHERE i.status = 'active' AND i.integration_id = ANY ($1::uuid[]))
     UPDATE linkage.link_tokens t
     SET refresh_due_at = clock_timestamp() + make_interval(secs => $2), refresh_early_from = NULL
     FROM probe WHERE t.link_id = probe.link_id
     RETURNING t.link_id AS "linkId", t.refresh_integration_id AS "integrationId", t.version`,
    [claim.integrationIds, claim.againInS],
  );
  return rows;
}

/** Makes at most `limit` failed refreshes of a partner that may be sent early due within `withinS`, spread at random. */
export async function hastenRefreshes(
  db: Queryable,
  integrationId: string,
  { withinS, limit }: { withinS: number; limit: number },
): Promise<void> {
  await db.query(
    `UPDATE linkage.link_tokens t
     SET refresh_due_at = clock_timestamp() + make_interval(secs => $2 * random()), refresh_early_from = NULL
     FROM (
       SELECT link_id FROM linkage.link_tokens
       WHERE refresh_integration_id = $1 AND ${isFailed} AND refresh_early_from <= clock_timestamp()
       ORDER BY refresh_early_from LIMIT $3 FOR UPDATE SKIP LOCKED) failed
     WHERE t.link_id = failed.link_id`,
    [integrationId, withinS, limit],
  );
}
