import { Queryable } from '@podium/runtime/postgres';
import { LinkPeriod } from '../evaluation/history';

/**
 * All links that users have or had, by user row, ordered by `linkedAt`; users without any are missing. A change that the release
 * before wrote to `links` alone counts too; an unlinking of that kind has no known time, so that the period is empty: nothing
 * may be paid to an account after its user unlinked it.
 */
export async function readLinkPeriods(tx: Queryable, userRefs: readonly number[]): Promise<Map<number, LinkPeriod[]>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<LinkPeriod & { user_ref: number }>(
    `SELECT users.user_ref, periods.linked_at AS "linkedAt", periods.unlinked_at AS "unlinkedAt",
       periods.platform_user_id AS account
     FROM engagement.users CROSS JOIN LATERAL (
       SELECT period.linked_at, period.platform_user_id,
         CASE
           WHEN newer.revision IS NULL OR newer.linked_at < period.linked_at THEN period.unlinked_at
           WHEN (newer.user_id, newer.linked_at) <> (period.user_id, period.linked_at)
             THEN least(period.unlinked_at, newer.linked_at)
           WHEN newer.state = 'unlinked' THEN coalesce(period.unlinked_at, period.linked_at)
         END AS unlinked_at
       FROM engagement.link_periods AS period
       LEFT JOIN engagement.links AS newer ON newer.platform = period.platform
         AND newer.platform_user_id = period.platform_user_id AND newer.revision > period.revision
       WHERE period.platform = users.platform AND period.user_id = users.user_id
       UNION ALL
       SELECT link.linked_at, link.platform_user_id, CASE WHEN link.state = 'unlinked' THEN link.linked_at END
       FROM engagement.links AS link
       WHERE link.platform = users.platform AND link.user_id = users.user_id AND NOT EXISTS (
         SELECT FROM engagement.link_periods AS known
         WHERE known.platform = link.platform AND known.user_id = link.user_id AND known.linked_at = link.linked_at
           AND known.platform_user_id = link.platform_user_id)
     ) AS periods
     WHERE users.user_ref = ANY ($1::bigint[])
     ORDER BY users.user_ref, periods.linked_at, periods.platform_user_id`,
    [userRefs],
  );
  const periods = new Map<number, LinkPeriod[]>();
  for (const { user_ref, ...period } of rows) {
    const known = periods.get(user_ref);
    if (known) known.push(period);
    else periods.set(user_ref, [period]);
  }
  return periods;
}
