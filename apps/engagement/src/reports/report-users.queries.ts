import { Queryable } from '@podium/runtime/postgres';

/** A user of a report. */
export interface ReportUser {
  readonly userRef: number;
  readonly userId: string;
}

/** A part of the users of a platform, by user row. */
export interface ReportUsers {
  readonly users: readonly ReportUser[];
  /** The next part begins after this user row; null after the last user. */
  readonly next: number | null;
}

/** Which users to read: the next `limit` with events of a name, found among the next `most` of the platform. */
export interface UsersAsked {
  readonly platform: string;
  readonly names: readonly string[];
  readonly afterUserRef: number;
  readonly limit: number;
  readonly most: number;
}

/** A member of a segment. */
export interface MemberRow {
  readonly user_ref: number;
  readonly user_id: string;
  readonly platform_user_id: string | null;
  readonly changed_at: number;
  readonly reason: string;
  readonly segment_version: number;
}

/** Finds a user of a platform; null when unknown. */
export async function findUserRef(db: Queryable, platform: string, userId: string): Promise<number | null> {
  const { rows } = await db.query<{ user_ref: number }>(
    `SELECT user_ref FROM engagement.users WHERE platform = $1 AND user_id = $2`,
    [platform, userId],
  );
  return rows[0]?.user_ref ?? null;
}

/** The members of a segment now, by user row. */
export async function readMembers(
  db: Queryable,
  segmentId: string,
  afterUserRef: number,
  limit: number,
): Promise<MemberRow[]> {
  const { rows } = await db.query<MemberRow>(
    `SELECT memberships.user_ref, users.user_id, link.platform_user_id, changed_at, reason, segment_version
     FROM engagement.memberships
     JOIN engagement.users USING (user_ref)
     LEFT JOIN LATERAL (
       SELECT platform_user_id FROM engagement.links
       WHERE links.platform = users.platform AND links.user_id = users.user_id
       ORDER BY state <> 'unlinked' DESC, linked_at DESC LIMIT 1) AS link ON true
     WHERE segment_id = $1 AND member AND memberships.user_ref > $2
     ORDER BY memberships.user_ref LIMIT $3`,
    [segmentId, afterUserRef, limit],
  );
  return rows;
}

/** Users who have a history of a name. `most` bounds the statement where few of a large platform's users have one. */
export async function readUsersWithHistory(db: Queryable, asked: UsersAsked): Promise<ReportUsers> {
  const { rows } = await db.query<{ user_ref: number; user_id: string; has_history: boolean; rank: number }>(
    `WITH page AS MATERIALIZED (
       SELECT user_ref, user_id, row_number() OVER (ORDER BY user_ref) AS rank FROM engagement.users
       WHERE platform = $1 AND user_ref > $3 ORDER BY user_ref LIMIT $5),
     found AS (
       SELECT page.*, EXISTS (
         SELECT FROM engagement.event_histories AS history
         WHERE history.user_ref = page.user_ref AND history.name = ANY ($2::text[])) AS has_history
       FROM page)
     SELECT * FROM (SELECT * FROM found WHERE has_history ORDER BY rank LIMIT $4) AS users
     UNION ALL
     SELECT * FROM found WHERE rank = $5 AND NOT has_history
     ORDER BY rank`,
    [asked.platform, asked.names, asked.afterUserRef, asked.limit, asked.most],
  );
  const users = rows
    .filter(({ has_history }) => has_history)
    .map(({ user_ref, user_id }): ReportUser => ({ userRef: user_ref, userId: user_id }));
  const isFull = users.length === asked.limit;
  const last = isFull ? users.at(-1)!.userRef : rows.find(({ rank }) => rank === asked.most)?.user_ref;
  return { users, next: last ?? null };
}
