import { Queryable } from '@podium/runtime/postgres';
import { LinkPeriod } from '../evaluation/history';
import { ViewedLink, accountKey, linkPeriodsOf } from './link-periods';

/**
 * All links that users have or had, by user row, ordered by `linkedAt`; users without any are missing. See `linkPeriodsOf` for
 * what the release before wrote to `links` alone.
 */
export async function readLinkPeriods(tx: Queryable, userRefs: readonly number[]): Promise<Map<number, LinkPeriod[]>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<LinkRow>(
    `SELECT user_ref AS "userRef", platform, user_id AS "userId", found.*
     FROM engagement.users CROSS JOIN LATERAL (
       SELECT platform_user_id AS account, linked_at AS "linkedAt", unlinked_at AS "unlinkedAt", revision, NULL AS state
       FROM engagement.link_periods AS period
       WHERE period.platform = users.platform AND period.user_id = users.user_id
       UNION ALL
       SELECT platform_user_id, linked_at, NULL, revision, state
       FROM engagement.links AS link
       WHERE link.platform = users.platform AND link.user_id = users.user_id) AS found
     WHERE user_ref = ANY ($1::bigint[])`,
    [userRefs],
  );
  const users = new Map<number, { periods: LinkRow[]; links: ViewedLink[] }>();
  for (const row of rows) {
    const user = users.get(row.userRef) ?? { periods: [], links: [] };
    users.set(row.userRef, user);
    if (row.state === null) user.periods.push(row);
    else user.links.push(row as ViewedLink);
  }
  const moved = await readMovedAccounts(tx, [...users.values()]);
  return new Map([...users].map(([userRef, { periods, links }]) => [userRef, linkPeriodsOf(periods, links, moved)]));
}

interface LinkRow {
  readonly userRef: number;
  readonly platform: string;
  readonly userId: string;
  readonly account: string;
  readonly linkedAt: number;
  readonly unlinkedAt: number | null;
  readonly revision: number;
  /** Null in a row of `link_periods`. */
  readonly state: string | null;
}

/** The links of accounts that a user had and that the view does not have as theirs; few accounts move. */
async function readMovedAccounts(
  tx: Queryable,
  users: readonly { readonly periods: readonly LinkRow[]; readonly links: readonly ViewedLink[] }[],
): Promise<ViewedLink[]> {
  const moved = new Map<string, LinkRow>();
  for (const { periods, links } of users) {
    const own = new Set(links.map(({ account }) => account));
    for (const period of periods) if (!own.has(period.account)) moved.set(accountKey(period), period);
  }
  if (moved.size === 0) return [];
  const accounts = [...moved.values()];
  const { rows } = await tx.query<ViewedLink>(
    `SELECT platform, platform_user_id AS account, user_id AS "userId", linked_at AS "linkedAt", state, revision
     FROM engagement.links
     WHERE (platform, platform_user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [accounts.map(({ platform }) => platform), accounts.map(({ account }) => account)],
  );
  return rows;
}
