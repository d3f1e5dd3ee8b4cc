import { ErrorCode } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { removeInParts } from '../counting/remove-in-parts';
import { AccountRef, accountDigest } from '../accounts/account';
import { RefusedEventEntry, maxRefusedEvents } from './refused-events';

/** Refusals of one event with one code, summed over instances. */
export interface RefusedEventRow {
  readonly eventId: string;
  readonly code: ErrorCode;
  readonly field: string;
  readonly message: string;
  readonly platformUserId: string;
  readonly refusals: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly lastRequestId: string;
}

/** Where a page begins: after this row. */
export interface RefusedEventKey {
  /** Unix ms. */
  readonly lastAtMs: number;
  readonly eventId: string;
  readonly code: string;
}

const retentionDays = 7;

/** The table of refused events, for partners. */
export class RefusedEventsStore {
  constructor(private readonly db: Queryable) {}

  /**
   * Adds entries, and deletes all but the newest of each platform. Events of accounts that were erased and not linked again are
   * left out. The caller holds the erasure lock.
   */
  async add(entries: readonly RefusedEventEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const column = <T>(pick: (entry: RefusedEventEntry) => T): T[] => entries.map(pick);
    await this.db.query(
      `INSERT INTO ingestion.refused_events AS r
         (platform, event_id, code, field, message, platform_user_id, refusals, first_at, last_at, last_request_id)
       SELECT platform, event_id, code, field, message, platform_user_id, refusals,
              to_timestamp(first_ms / 1000.0), to_timestamp(last_ms / 1000.0), request_id
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
                $9::bigint[], $10::text[], $11::uuid[])
              AS e (platform, event_id, code, field, message, platform_user_id, refusals, first_ms, last_ms, request_id, digest)
         LEFT JOIN ingestion.erased_accounts AS erased ON erased.account_digest = e.digest
         LEFT JOIN ingestion.links AS linked USING (platform, platform_user_id)
        WHERE erased.revision IS NULL OR linked.revision IS NOT NULL
        ORDER BY platform, event_id, code
           ON CONFLICT (platform, event_id, code) DO UPDATE
          SET field = excluded.field, message = excluded.message, platform_user_id = excluded.platform_user_id,
              refusals = r.refusals + excluded.refusals, first_at = least(r.first_at, excluded.first_at),
              last_at = greatest(r.last_at, excluded.last_at), last_request_id = excluded.last_request_id`,
      [
        column(({ platform }) => platform),
        column(({ eventId }) => eventId),
        column(({ code }) => code),
        column(({ field }) => field),
        column(({ message }) => message),
        column(({ platformUserId }) => platformUserId),
        column(({ count }) => count),
        column(({ firstAtMs }) => firstAtMs),
        column(({ lastAtMs }) => lastAtMs),
        column(({ requestId }) => requestId),
        column(accountDigest),
      ],
    );
    await this.keepNewest([...new Set(column(({ platform }) => platform))]);
  }

  /** One page of a platform's refused events, newest first, and the row after it. */
  async page(
    platform: string,
    filter: { code?: string; eventId?: string; after: RefusedEventKey | null; limit: number },
  ): Promise<RefusedEventRow[]> {
    const { code, eventId, after, limit } = filter;
    const { rows } = await this.db.query<RefusedEventRow>(
      `SELECT event_id AS "eventId", code, field, message, platform_user_id AS "platformUserId", refusals,
              first_at AS "firstAt", last_at AS "lastAt", last_request_id AS "lastRequestId"
         FROM ingestion.refused_events
        WHERE platform = $1 AND last_at > now() - make_interval(days => $2)
          AND ($3::text IS NULL OR code = $3) AND ($4::text IS NULL OR event_id = $4)
          AND ($5::bigint IS NULL OR (last_at, event_id, code) < (to_timestamp($5 / 1000.0), $6::text, $7::text))
        ORDER BY last_at DESC, event_id DESC, code DESC
        LIMIT $8`,
      [
        platform,
        retentionDays,
        code ?? null,
        eventId ?? null,
        after?.lastAtMs ?? null,
        after?.eventId ?? null,
        after?.code ?? null,
        limit + 1,
      ],
    );
    return rows;
  }

  /** Deletes what is too old to be shown. */
  async removeOld(): Promise<void> {
    await removeInParts((limit) =>
      this.db.query(
        `DELETE FROM ingestion.refused_events WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ingestion.refused_events WHERE last_at <= now() - make_interval(days => $1) LIMIT $2))`,
        [retentionDays, limit],
      ),
    );
  }

  /** Deletes the refused events of erased accounts. */
  async erase(accounts: readonly AccountRef[]): Promise<void> {
    if (accounts.length === 0) return;
    await this.db.query(
      `DELETE FROM ingestion.refused_events AS r
        USING unnest($1::text[], $2::text[]) AS erased (platform, platform_user_id)
        WHERE r.platform = erased.platform AND r.platform_user_id = erased.platform_user_id AND r.platform_user_id <> ''`,
      [accounts.map(({ platform }) => platform), accounts.map(({ platformUserId }) => platformUserId)],
    );
  }

  private async keepNewest(platforms: readonly string[]): Promise<void> {
    await this.db.query(
      `DELETE FROM ingestion.refused_events AS r
        USING unnest($1::text[]) AS given (platform),
              LATERAL (SELECT last_at, event_id, code FROM ingestion.refused_events AS kept
                        WHERE kept.platform = given.platform
                        ORDER BY last_at DESC, event_id DESC, code DESC
                       OFFSET $2 LIMIT 1) AS surplus
        WHERE r.platform = given.platform
          AND (r.last_at, r.event_id, r.code) <= (surplus.last_at, surplus.event_id, surplus.code)`,
      [platforms, maxRefusedEvents],
    );
  }
}
