import { shownExchange } from '../partner-client/exchange-record';
import { Queryable } from '@podium/runtime/postgres';
import { BreakerState } from '../partner-client/partner-breakers';
import { PartnerCount, RecordedExchange, exchangesKept } from './partner-activity';

/** Any fixed number: instances write activity one after the other, because they update the same rows. */
const activityLock = 7_243_003;

/** Waits until no other instance writes activity, and holds it until the transaction ends. */
export async function holdActivity(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [activityLock]);
}

/** Adds counts to those of their hour. */
export async function addCounts(tx: Queryable, counts: readonly PartnerCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx.query(
    `INSERT INTO linkage.partner_counts AS c
       (integration_id, hour, kind, name, outcome, detail, count, durations, last_at)
     SELECT n.integration_id, n.hour, n.kind, n.name, n.outcome, n.detail, n.count, n.durations, n.last_at
     FROM jsonb_to_recordset($1::jsonb) AS n (integration_id uuid, hour timestamptz, kind text, name text,
       outcome text, detail text, count bigint, durations bigint[], last_at timestamptz)
     ON CONFLICT (integration_id, hour, kind, name, outcome, detail) DO UPDATE SET
       count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at),
       durations = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0)
         FROM unnest(c.durations, excluded.durations) WITH ORDINALITY AS d (a, b, range) ORDER BY range)`,
    [
      JSON.stringify(
        counts.map((count) => ({
          ...{ integration_id: count.integrationId, hour: count.hour, kind: count.kind, name: count.name },
          ...{ outcome: count.outcome, detail: count.detail, count: count.count, durations: count.durations },
          last_at: count.lastAt,
        })),
      ),
    ],
  );
}

/**
 * Stores exchanges and deletes all but the newest of each integration. Those of erased users and of links that are gone are
 * dropped; the caller has blocked erasures.
 */
export async function addExchanges(tx: Queryable, exchanges: readonly RecordedExchange[]): Promise<void> {
  if (exchanges.length === 0) return;
  await tx.query(
    `INSERT INTO linkage.partner_exchanges (integration_id, at, failed, operation, detail, user_digest)
     SELECT n.integration_id, n.at, n.failed, n.operation, n.detail, s.digest
     FROM jsonb_to_recordset($1::jsonb) AS n (integration_id uuid, at timestamptz, failed boolean,
       operation text, detail jsonb, user_digest uuid, link_id uuid, position bigint)
     LEFT JOIN linkage.links l ON l.link_id = n.link_id
     CROSS JOIN LATERAL (
       SELECT coalesce(n.user_digest, linkage.identity_digest(l.platform, l.user_id)) AS digest) s
     WHERE s.digest IS NOT NULL AND NOT EXISTS (
       SELECT FROM linkage.erasures e
       WHERE e.user_digests @> ARRAY[s.digest] AND (e.completed_at IS NULL OR e.erased_at > n.at))
     ORDER BY n.position`,
    [JSON.stringify(exchanges.map((recorded, position) => ({ ...exchangeRow(recorded), position })))],
  );
  await tx.query(
    `DELETE FROM linkage.partner_exchanges WHERE exchange_id IN (
       SELECT exchange_id FROM (
         SELECT exchange_id, row_number() OVER (PARTITION BY integration_id, failed ORDER BY exchange_id DESC) AS age
         FROM linkage.partner_exchanges WHERE integration_id = ANY ($1::uuid[])) e
       WHERE age > $2)`,
    [[...new Set(exchanges.map(({ integrationId }) => integrationId))], exchangesKept],
  );
}

/** A breaker of one instance that is not closed. */
export interface OpenBreaker {
  readonly platform: string;
  readonly state: Exclude<BreakerState, 'closed'>;
}

/** Replaces the breakers of an instance; `since` stays while a state does. */
export async function saveBreakers(tx: Queryable, instance: string, breakers: readonly OpenBreaker[]): Promise<void> {
  const platforms = breakers.map(({ platform }) => platform);
  await tx.query(`DELETE FROM linkage.partner_breakers WHERE instance = $1 AND platform <> ALL ($2::text[])`, [
    instance,
    platforms,
  ]);
  if (platforms.length === 0) return;
  await tx.query(
    `INSERT INTO linkage.partner_breakers AS b (platform, instance, state, since, seen_at)
     SELECT platform, $1, state, clock_timestamp(), clock_timestamp()
     FROM unnest($2::text[], $3::text[]) AS n (platform, state)
     ON CONFLICT (platform, instance) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at,
       since = CASE WHEN b.state = excluded.state THEN b.since ELSE excluded.since END`,
    [instance, platforms, breakers.map(({ state }) => state)],
  );
}

/**
 * Deletes activity that is older than its limits, at most `limit` rows of each kind. Instances that do it at once, or beside
 * `addExchanges` and erasures, skip each other's rows, so that none waits in a circle.
 */
export async function deleteOldActivity(
  db: Queryable,
  { exchangesS, countsS, limit }: { exchangesS: number; countsS: number; limit: number },
): Promise<void> {
  await db.query(
    `DELETE FROM linkage.partner_exchanges WHERE exchange_id IN (
       SELECT exchange_id FROM linkage.partner_exchanges
       WHERE at < clock_timestamp() - make_interval(secs => $1)
       ORDER BY exchange_id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [exchangesS, limit],
  );
  await db.query(
    `DELETE FROM linkage.partner_counts WHERE ctid IN (
       SELECT ctid FROM linkage.partner_counts
       WHERE hour < clock_timestamp() - make_interval(secs => $1)
       ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [countsS, limit],
  );
  await db.query(`DELETE FROM linkage.partner_breakers WHERE seen_at < clock_timestamp() - interval '1 hour'`);
}

function exchangeRow({ integrationId, subject, exchange }: RecordedExchange): Record<string, unknown> {
  const { operation, at, ...detail } = shownExchange(exchange);
  return {
    ...{ integration_id: integrationId, at, failed: exchange.outcome !== 'ok', operation, detail },
    ...('linkId' in subject ? { link_id: subject.linkId } : { user_digest: subject.userDigest }),
  };
}
