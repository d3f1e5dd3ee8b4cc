import { Queryable } from '@podium/runtime/postgres';
import { LockedUser, UserKey } from '../../users/users.store';

/** A locked user, and when the user was erased, if that happened: Unix seconds. */
export interface KnownUser extends LockedUser {
  readonly erasedAt: number | null;
}

/** Locks those of the users that exist, in the order of their keys; missing ones are not added. */
export async function lockExistingUsers(tx: Queryable, users: readonly UserKey[]): Promise<KnownUser[]> {
  const { rows } = await tx.query<KnownUser>(
    `SELECT user_ref AS "userRef", platform, user_id AS "userId", erased.erased_at AS "erasedAt"
     FROM engagement.users
     LEFT JOIN engagement.erasures AS erased
       ON erased.user_digest = engagement.identity_digest(users.platform, users.user_id)
     WHERE (platform, user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY platform, user_id
     FOR NO KEY UPDATE OF users`,
    [users.map(({ platform }) => platform), users.map(({ userId }) => userId)],
  );
  return rows;
}
