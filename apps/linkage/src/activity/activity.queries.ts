import { Queryable } from '@podium/runtime/postgres';
import { BreakerState } from '../partner-client/partner-breakers';
import { PartnerOperationName, ShownExchange } from '../partner-client/exchange-record';
import { exchangesKeptS } from './write-activity';

/** Counts of one kind, name and reason over a time. */
export interface CountRow {
  readonly kind: string;
  readonly name: string;
  readonly outcome: string;
  readonly detail: string;
  readonly count: number;
  readonly durations: readonly number[];
  readonly lastAt: Date;
}

/** Counts of an integration since a time; the hour that it is in is counted whole. */
export async function readCounts(db: Queryable, integrationId: string, hours: number): Promise<CountRow[]> {
  const { rows } = await db.query<CountRow>(
    `WITH chosen AS (
       SELECT kind, name, outcome, detail, count, durations, last_at FROM linkage.partner_counts
       WHERE integration_id = $1 AND hour > clock_timestamp() - make_interval(hours => $2)),
     ranges AS (
       SELECT kind, name, outcome, detail, range, sum(d)::float8 AS total
       FROM chosen CROSS JOIN LATERAL unnest(durations) WITH ORDINALITY AS u (d, range)
       GROUP BY kind, name, outcome, detail, range)
     SELECT kind, name, outcome, detail, sum(count)::float8 AS count, max(last_at) AS "lastAt",
       (SELECT array_agg(total ORDER BY range) FROM ranges r
        WHERE (r.kind, r.name, r.outcome, r.detail) = (c.kind, c.name, c.outcome, c.detail)) AS durations
     FROM chosen c GROUP BY kind, name, outcome, detail ORDER BY kind, name, count DESC, outcome, detail`,
    [integrationId, hours],
  );
  return rows;
}

/** When the partner last accepted a client secret that has one of the names; null for never, as long as counts are kept. */
export async function readSecretUse(
  db: Queryable,
  integrationId: string,
  names: readonly string[],
): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `SELECT max(last_at) AS at FROM linkage.partner_counts
     WHERE integration_id = $1 AND kind = 'secret' AND name = ANY ($2::text[])`,
    [integrationId, names],
  );
  return rows[0].at;
}

/** A breaker of an instance that is not closed. */
export interface BreakerRow {
  readonly instance: string;
  readonly state: Exclude<BreakerState, 'closed'>;
  readonly since: Date;
}

/** Breakers of a platform in instances that still run. */
export async function readBreakers(db: Queryable, platform: string): Promise<BreakerRow[]> {
  const { rows } = await db.query<BreakerRow>(
    `SELECT instance, state, since FROM linkage.partner_breakers
     WHERE platform = $1 AND seen_at > clock_timestamp() - interval '1 minute' ORDER BY instance`,
    [platform],
  );
  return rows;
}

/** An exchange as stored. */
export interface ExchangeRow {
  readonly exchangeId: number;
  readonly at: Date;
  readonly operation: PartnerOperationName;
  readonly detail: Omit<ShownExchange, 'operation' | 'at'>;
}

/** Filters of an operator's list of one integration. */
export interface ActivityFilter {
  readonly integrationId: string;
  /** Only older ones than this id. */
  readonly before: number | null;
  readonly limit: number;
}

/** Exchanges, newest first. */
export async function readExchanges(
  db: Queryable,
  filter: ActivityFilter & { readonly failed: boolean | null; readonly operation: string | null },
): Promise<ExchangeRow[]> {
  const { rows } = await db.query<ExchangeRow>(
    `SELECT exchange_id AS "exchangeId", at, operation, detail FROM linkage.partner_exchanges
     WHERE integration_id = $1 AND ($2::bigint IS NULL OR exchange_id < $2) AND ($3::boolean IS NULL OR failed = $3)
       AND ($4::text IS NULL OR operation = $4) AND at > clock_timestamp() - make_interval(secs => $5)
     ORDER BY exchange_id DESC LIMIT $6`,
    [filter.integrationId, filter.before, filter.failed, filter.operation, exchangesKeptS, filter.limit],
  );
  return rows;
}

/** A row of the journal of refreshes. */
export interface RefreshRow {
  readonly refreshId: number;
  readonly linkId: string;
  readonly tokenVersion: number;
  readonly instance: string;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
}

/** Refreshes, newest first; without `outcome` those that are open too. */
export async function readRefreshes(
  db: Queryable,
  filter: ActivityFilter & { readonly outcome: string | null; readonly linkId: string | null },
): Promise<RefreshRow[]> {
  const { rows } = await db.query<RefreshRow>(
    `SELECT refresh_id AS "refreshId", link_id AS "linkId", token_version AS "tokenVersion", instance,
       begun_at AS "begunAt", ended_at AS "endedAt", outcome
     FROM linkage.token_refreshes
     WHERE integration_id = $1 AND ($2::bigint IS NULL OR refresh_id < $2)
       AND ($3::text IS NULL OR outcome = $3) AND ($4::uuid IS NULL OR link_id = $4)
     ORDER BY refresh_id DESC LIMIT $5`,
    [filter.integrationId, filter.before, filter.outcome, filter.linkId, filter.limit],
  );
  return rows;
}
