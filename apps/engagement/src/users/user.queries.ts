import { Queryable } from '@podium/runtime/postgres';

/** What this service knows of a user of one platform. */
export interface UserRow {
  readonly user_ref: number;
  /** Null until the link's record was seen. */
  readonly organizer_id: string | null;
  readonly platform_user_id: string | null;
  readonly link_state: string | null;
  readonly linked_at: number | null;
  readonly awards: number;
}

/** A segment that the user is or was in. */
export interface MembershipRow {
  readonly segment_id: string;
  readonly segment_version: number;
  readonly member: boolean;
  readonly changed_at: number;
  readonly reason: string;
}

/** Stored events of one name. */
export interface StoredCountRow {
  readonly name: string;
  readonly stored: number;
  readonly oldest_at: number;
  readonly newest_at: number;
}

/** A user with the present or last link and the number of awards; null when unknown. */
export async function findUser(db: Queryable, platform: string, userId: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `SELECT users.user_ref, links.organizer_id, links.platform_user_id, links.state AS link_state, links.linked_at,
       (SELECT count(*) FROM engagement.awards
        WHERE awards.platform = users.platform AND awards.user_id = users.user_id) AS awards
     FROM engagement.users
     LEFT JOIN LATERAL (
       SELECT * FROM engagement.links
       WHERE links.platform = users.platform AND links.user_id = users.user_id
       ORDER BY state <> 'unlinked' DESC, linked_at DESC LIMIT 1) AS links ON true
     WHERE users.platform = $1 AND users.user_id = $2`,
    [platform, userId],
  );
  return rows[0] ?? null;
}

/** All segments that the user is or was in; at most as many as the platform has. */
export async function listMemberships(db: Queryable, userRef: number): Promise<MembershipRow[]> {
  const { rows } = await db.query<MembershipRow>(
    `SELECT segment_id, segment_version, member, changed_at, reason FROM engagement.memberships
     WHERE user_ref = $1 ORDER BY segment_id`,
    [userRef],
  );
  return rows;
}

/** How many events of each name are stored; at most as many rows as names were negotiated. */
export async function countStoredEvents(db: Queryable, userRef: number): Promise<StoredCountRow[]> {
  const { rows } = await db.query<StoredCountRow>(
    `SELECT name, count(*) AS stored, min(created_at) AS oldest_at, max(created_at) AS newest_at
     FROM engagement.events WHERE user_ref = $1 GROUP BY name ORDER BY name`,
    [userRef],
  );
  return rows;
}
