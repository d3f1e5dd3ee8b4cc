import { Queryable } from '@podium/runtime/postgres';

/** The subject of all derived state: a user of the service, seen through one platform. */
export interface UserKey {
  readonly platform: string;
  readonly userId: string;
}

/** A user whose row this transaction has locked. */
export interface LockedUser extends UserKey {
  readonly userRef: number;
}

/** The map key of a user. */
export function userKeyText(user: UserKey): string {
  return JSON.stringify([user.platform, user.userId]);
}

/**
 * Locks users in the order of their keys; missing users are added first. Every change of derived state takes these locks in
 * this order, so that known users cause no deadlock.
 */
export async function lockUsers(tx: Queryable, users: readonly UserKey[]): Promise<Map<string, LockedUser>> {
  const wanted = new Map(users.map((user) => [userKeyText(user), user]));
  const locked = await lockKnown(tx, [...wanted.values()]);
  const missing = [...wanted].flatMap(([key, user]) => (locked.has(key) ? [] : [user]));
  if (missing.length === 0) return locked;
  await addUsers(tx, missing);
  return new Map([...locked, ...(await lockKnown(tx, missing))]);
}

/** Locks the given users that no other transaction has locked, in the order of their keys, and skips the others. */
export async function lockFreeUsers(tx: Queryable, userRefs: readonly number[]): Promise<LockedUser[]> {
  const { rows } = await tx.query<UserRow>(
    `SELECT user_ref, platform, user_id FROM engagement.users
     WHERE user_ref = ANY($1::bigint[])
     ORDER BY platform, user_id
     FOR NO KEY UPDATE SKIP LOCKED`,
    [userRefs],
  );
  return [...byKey(rows).values()];
}

async function lockKnown(tx: Queryable, users: readonly UserKey[]): Promise<Map<string, LockedUser>> {
  if (users.length === 0) return new Map();
  const { rows } = await tx.query<UserRow>(
    `SELECT user_ref, platform, user_id FROM engagement.users
     WHERE (platform, user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY platform, user_id
     FOR NO KEY UPDATE`,
    columnsOf(users),
  );
  return byKey(rows);
}

async function addUsers(tx: Queryable, users: readonly UserKey[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.users (platform, user_id)
     SELECT platform, user_id FROM unnest($1::text[], $2::text[]) AS given (platform, user_id)
     ORDER BY platform COLLATE "C", user_id COLLATE "C"
     ON CONFLICT DO NOTHING`,
    columnsOf(users),
  );
}

function columnsOf(users: readonly UserKey[]): [string[], string[]] {
  return [users.map((user) => user.platform), users.map((user) => user.userId)];
}

interface UserRow {
  user_ref: number;
  platform: string;
  user_id: string;
}

function byKey(rows: readonly UserRow[]): Map<string, LockedUser> {
  const users = rows.map((row) => ({ userRef: row.user_ref, platform: row.platform, userId: row.user_id }));
  return new Map(users.map((user) => [userKeyText(user), user]));
}
