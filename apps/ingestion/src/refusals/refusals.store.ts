import { Queryable } from '@podium/runtime/postgres';
import { removeInParts } from '../counting/remove-in-parts';
import { AccountRef, accountDigest } from '../accounts/account';
import { CountedCode, RefusalCount } from './refusal-counts';

/** Refusals of one kind on one day, summed over instances. */
export interface RefusalRow {
  readonly day: string;
  readonly code: CountedCode;
  readonly platformUserId: string;
  readonly refusals: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly lastMessage: string;
}

/** Where a page of refusals begins: after this row. */
export interface RefusalKey {
  readonly day: string;
  readonly code: string;
  readonly platformUserId: string;
}

/** Most users stored by name per platform, day and code; the others share one row. */
export const maxUsersPerDay = 1000;
/** Retention of counts, days. */
const refusalRetentionDays = 30;

/** The table of refusals, for operators. */
export class RefusalsStore {
  constructor(private readonly db: Queryable) {}

  /**
   * Adds counts, in one statement. Users who were erased and not linked again are counted without their names. The limit of
   * users per day is checked first, so concurrent flushes may exceed it by their own users. The caller holds the erasure lock.
   */
  async add(counts: readonly RefusalCount[]): Promise<void> {
    if (counts.length === 0) return;
    const column = <T>(pick: (count: RefusalCount) => T): T[] => counts.map(pick);
    await this.db.query(
      `WITH counted AS (
         SELECT platform, code, refusals, first_ms, last_ms, message,
                CASE WHEN erased.revision IS NULL OR linked.revision IS NOT NULL THEN platform_user_id ELSE '' END
                  AS platform_user_id
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $9::uuid[])
                AS c (platform, code, platform_user_id, refusals, first_ms, last_ms, message, digest)
           LEFT JOIN ingestion.erased_accounts AS erased ON erased.account_digest = c.digest
           LEFT JOIN ingestion.links AS linked USING (platform, platform_user_id)),
       given AS (
         SELECT *, (to_timestamp(first_ms / 1000.0) AT TIME ZONE 'UTC')::date AS day,
                row_number() OVER (PARTITION BY platform, code ORDER BY refusals DESC) AS place
           FROM counted),
       remaining AS (
         SELECT g.platform, g.day, g.code, $8::bigint - count(r.*) AS users
           FROM (SELECT DISTINCT platform, day, code FROM given) AS g
           LEFT JOIN ingestion.refusals AS r USING (platform, day, code)
          GROUP BY g.platform, g.day, g.code),
       placed AS (
         SELECT g.*, CASE WHEN known.platform IS NOT NULL OR g.place <= remaining.users THEN g.platform_user_id ELSE '' END AS stored_user
           FROM given AS g
           JOIN remaining USING (platform, day, code)
           LEFT JOIN ingestion.refusals AS known USING (platform, day, code, platform_user_id))
       INSERT INTO ingestion.refusals AS r (platform, day, code, platform_user_id, refusals, first_at, last_at, last_message)
       SELECT platform, day, code, stored_user, sum(refusals), to_timestamp(min(first_ms) / 1000.0),
              to_timestamp(max(last_ms) / 1000.0), (array_agg(message ORDER BY last_ms DESC))[1]
         FROM placed
        GROUP BY platform, day, code, stored_user
        ORDER BY platform, day, code, stored_user
           ON CONFLICT (platform, day, code, platform_user_id) DO UPDATE
          SET refusals = r.refusals + excluded.refusals, first_at = least(r.first_at, excluded.first_at),
              last_at = greatest(r.last_at, excluded.last_at), last_message = excluded.last_message`,
      [
        column(({ platform }) => platform),
        column(({ code }) => code),
        column(({ platformUserId }) => platformUserId),
        column(({ count }) => count),
        column(({ firstAtMs }) => firstAtMs),
        column(({ lastAtMs }) => lastAtMs),
        column(({ message }) => message),
        maxUsersPerDay,
        column(accountDigest),
      ],
    );
  }

  /** One page of a platform's refusals, newest day first, and the row after it. */
  async page(
    platform: string,
    filter: { code?: string; after: RefusalKey | null; limit: number },
  ): Promise<RefusalRow[]> {
    const { code, after, limit } = filter;
    const { rows } = await this.db.query<{
      day: string;
      code: CountedCode;
      platform_user_id: string;
      refusals: number;
      first_at: Date;
      last_at: Date;
      last_message: string;
    }>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, code, platform_user_id, refusals, first_at, last_at, last_message
         FROM ingestion.refusals
        WHERE platform = $1 AND ($2::text IS NULL OR code = $2)
          AND ($3::date IS NULL OR day < $3::date OR (day = $3::date AND (code, platform_user_id) > ($4::text, $5::text)))
        ORDER BY ingestion.refusals.day DESC, code, platform_user_id
        LIMIT $6`,
      [platform, code ?? null, after?.day ?? null, after?.code ?? null, after?.platformUserId ?? null, limit + 1],
    );
    return rows.map((row) => ({
      day: row.day,
      code: row.code,
      platformUserId: row.platform_user_id,
      refusals: row.refusals,
      firstAt: row.first_at,
      lastAt: row.last_at,
      lastMessage: row.last_message,
    }));
  }

  /** Deletes what is too old to be shown. */
  async removeOld(): Promise<void> {
    await removeInParts((limit) =>
      this.db.query(
        `DELETE FROM ingestion.refusals WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ingestion.refusals WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int LIMIT $2))`,
        [refusalRetentionDays, limit],
      ),
    );
  }

  /** Deletes the refusals of erased accounts. */
  async erase(accounts: readonly AccountRef[]): Promise<void> {
    if (accounts.length === 0) return;
    await this.db.query(
      `DELETE FROM ingestion.refusals AS r
        USING unnest($1::text[], $2::text[]) AS erased (platform, platform_user_id)
        WHERE r.platform = erased.platform AND r.platform_user_id = erased.platform_user_id AND r.platform_user_id <> ''`,
      [accounts.map(({ platform }) => platform), accounts.map(({ platformUserId }) => platformUserId)],
    );
  }
}
