import { Queryable } from '@podium/runtime/postgres';
import { removeInParts } from '../counting/remove-in-parts';
import { DriftCount, maxNamesPerDay } from './drift-counts';

/** What happened to one name on one day, summed over instances. */
export interface DriftRow {
  readonly day: string;
  readonly event: string;
  readonly attribute: string;
  readonly sent: number;
  readonly notNegotiated: number;
  readonly dropped: number;
  readonly notParsed: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Where a page begins: after this row. */
export type DriftKey = Pick<DriftRow, 'day' | 'event' | 'attribute'>;

/** Retention of counts, days. */
const driftRetentionDays = 14;

/** The table of names on which events and contracts differ. */
export class DriftStore {
  constructor(private readonly db: Queryable) {}

  /**
   * Adds counts, in one statement. Names that are not negotiated share a row above their limit per platform and day. It is
   * checked first, so concurrent flushes may exceed it by their own names.
   */
  async add(counts: readonly DriftCount[]): Promise<void> {
    if (counts.length === 0) return;
    const column = <T>(pick: (count: DriftCount) => T): T[] => counts.map(pick);
    await this.db.query(
      `WITH given AS (
         SELECT g.*, known.platform IS NOT NULL OR g.is_negotiated AS has_place,
                row_number() OVER (PARTITION BY g.platform, g.day, known.platform IS NOT NULL OR g.is_negotiated
                                       ORDER BY g.sent DESC, g.event_name, g.attribute_name) AS place
           FROM unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[], $8::bigint[],
                  $9::bigint[], $10::bigint[], $11::bigint[])
                AS g (platform, day, event_name, attribute_name, is_negotiated, sent, not_negotiated, dropped, not_parsed,
                      first_ms, last_ms)
           LEFT JOIN ingestion.drift AS known USING (platform, day, event_name, attribute_name)),
       stored AS (
         SELECT platform, day, count(*) AS names FROM ingestion.drift
          WHERE NOT is_negotiated AND (platform, day) IN (SELECT platform, day FROM given)
          GROUP BY platform, day),
       placed AS (
         SELECT given.*, has_place OR place + coalesce(names, 0) <= $12 AS is_named
           FROM given LEFT JOIN stored USING (platform, day)),
       named AS (
         SELECT platform, day, CASE WHEN is_named THEN event_name ELSE '' END AS event_name,
                CASE WHEN is_named THEN attribute_name ELSE '' END AS attribute_name, is_negotiated OR NOT is_named AS is_negotiated,
                sent, not_negotiated, dropped, not_parsed, first_ms, last_ms
           FROM placed)
       INSERT INTO ingestion.drift AS d
         (platform, day, event_name, attribute_name, is_negotiated, sent, not_negotiated, dropped, not_parsed, first_at, last_at)
       SELECT platform, day, event_name, attribute_name, bool_or(is_negotiated), sum(sent), sum(not_negotiated), sum(dropped),
              sum(not_parsed), to_timestamp(min(first_ms) / 1000.0), to_timestamp(max(last_ms) / 1000.0)
         FROM named
        GROUP BY platform, day, event_name, attribute_name
        ORDER BY platform, day, event_name, attribute_name
           ON CONFLICT (platform, day, event_name, attribute_name) DO UPDATE
          SET sent = d.sent + excluded.sent, not_negotiated = d.not_negotiated + excluded.not_negotiated,
              dropped = d.dropped + excluded.dropped, not_parsed = d.not_parsed + excluded.not_parsed,
              first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)`,
      [
        column(({ platform }) => platform),
        column(({ day }) => day),
        column(({ event }) => event),
        column(({ attribute }) => attribute),
        column(({ isNegotiated }) => isNegotiated),
        column(({ sent }) => sent),
        column(({ notNegotiated }) => notNegotiated),
        column(({ dropped }) => dropped),
        column(({ notParsed }) => notParsed),
        column(({ firstAtMs }) => firstAtMs),
        column(({ lastAtMs }) => lastAtMs),
        maxNamesPerDay,
      ],
    );
  }

  /** One page of a platform's rows, newest day first, and the row after it. */
  async page(platform: string, { after, limit }: { after: DriftKey | null; limit: number }): Promise<DriftRow[]> {
    const { rows } = await this.db.query<DriftRow>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, event_name AS event, attribute_name AS attribute, sent,
              not_negotiated AS "notNegotiated", dropped, not_parsed AS "notParsed", first_at AS "firstAt", last_at AS "lastAt"
         FROM ingestion.drift AS d
        WHERE platform = $1
          AND ($2::date IS NULL OR d.day < $2::date OR (d.day = $2::date AND (event_name, attribute_name) > ($3::text, $4::text)))
        ORDER BY d.day DESC, event_name, attribute_name
        LIMIT $5`,
      [platform, after?.day ?? null, after?.event ?? null, after?.attribute ?? null, limit + 1],
    );
    return rows;
  }

  /** Deletes what is too old to be shown. */
  async removeOld(): Promise<void> {
    await removeInParts((limit) =>
      this.db.query(
        `DELETE FROM ingestion.drift WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ingestion.drift WHERE day <= (now() AT TIME ZONE 'UTC')::date - $1::int LIMIT $2))`,
        [driftRetentionDays, limit],
      ),
    );
  }
}
