import { UserErasedData, identityDigest } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { LockedUser, UserKey, userKeyText } from '../users/users.store';

/** A user's link: an event or a change belongs to it. */
export interface LinkRef extends UserKey {
  /** Unix seconds. */
  readonly linkedAt: number;
}

/**
 * Returns a test of whether a link was made before its user's erasure. The caller holds the epoch, so that no erasure happens
 * in between.
 */
export async function readErased(tx: Queryable, links: readonly LinkRef[]): Promise<(link: LinkRef) => boolean> {
  const users = new Map(links.map((link) => [userKeyText(link), userDigest(link)]));
  if (users.size === 0) return () => false;
  const { rows } = await tx.query<{ digest: string; erased_at: number }>(
    `SELECT replace(user_digest::text, '-', '') AS digest, erased_at FROM engagement.erasures
     WHERE user_digest = ANY ($1::uuid[])`,
    [[...users.values()]],
  );
  if (rows.length === 0) return () => false;
  const erasedAt = new Map(rows.map((row) => [row.digest, row.erased_at]));
  return (link) => link.linkedAt < (erasedAt.get(users.get(userKeyText(link)) ?? '') ?? -Infinity);
}

/** Stores erasures and returns the digests of users with a new one: a repeat must not delete what came after it. */
export async function storeErasures(tx: Queryable, erasures: readonly UserErasedData[]): Promise<string[]> {
  const newest = new Map<string, number>();
  for (const { users, erased_at } of erasures)
    for (const digest of users) newest.set(digest, Math.max(erased_at, newest.get(digest) ?? 0));
  const { rows } = await tx.query<{ digest: string }>(
    `INSERT INTO engagement.erasures AS known (user_digest, erased_at)
     SELECT * FROM unnest($1::uuid[], $2::bigint[])
     ON CONFLICT (user_digest) DO UPDATE SET erased_at = excluded.erased_at WHERE known.erased_at < excluded.erased_at
     RETURNING user_digest AS digest`,
    [[...newest.keys()], [...newest.values()]],
  );
  return rows.map(({ digest }) => digest);
}

/** The known users among these digests, locked. */
export async function lockUsersByDigest(tx: Queryable, digests: readonly string[]): Promise<LockedUser[]> {
  const { rows } = await tx.query<LockedUser>(
    `SELECT user_ref AS "userRef", platform, user_id AS "userId" FROM engagement.users
     WHERE engagement.identity_digest(platform, user_id) = ANY ($1::uuid[])
     ORDER BY platform, user_id FOR UPDATE`,
    [digests],
  );
  return rows;
}

/** A segment that a user is or was in. */
export interface KnownMembership {
  readonly userRef: number;
  readonly segmentId: string;
  readonly segmentVersion: number;
  /** Null for a segment that the database does not have: a restore stores such memberships, as ended. */
  readonly organizerId: string | null;
  readonly member: boolean;
}

/** All memberships of users, past ones and those of unknown segments too: each has a record in the topic. */
export async function readAllMemberships(tx: Queryable, userRefs: readonly number[]): Promise<KnownMembership[]> {
  const { rows } = await tx.query<KnownMembership>(
    `SELECT user_ref AS "userRef", segment_id AS "segmentId", segment_version AS "segmentVersion",
       (SELECT organizer_id FROM engagement.definitions
        WHERE definition_id = segment_id ORDER BY version DESC LIMIT 1) AS "organizerId", member
     FROM engagement.memberships
     WHERE user_ref = ANY ($1::bigint[]) ORDER BY user_ref, segment_id`,
    [userRefs],
  );
  return rows;
}

/**
 * Deletes users, their links and link periods, and all that is derived from them. Awards and their ledger record what is owed,
 * so that they stay under pseudonyms, without their evidence; a later award of the same occurrence conflicts with the pseudonym
 * as it would with the name.
 */
export async function deleteUsers(tx: Queryable, users: readonly LockedUser[]): Promise<void> {
  const userRefs = users.map(({ userRef }) => userRef);
  for (const table of [
    'events',
    'event_histories',
    'term_points',
    'task_occurrences',
    'memberships',
    'due_times',
    'unissued_awards',
    'told_progress',
    'trial_awards',
    'trial_capped',
    'trial_members',
  ])
    await tx.query(`DELETE FROM engagement.${table} WHERE user_ref = ANY ($1::bigint[])`, [userRefs]);
  const keys = [users.map(({ platform }) => platform), users.map(({ userId }) => userId)];
  for (const table of ['links', 'link_periods'])
    await tx.query(
      `DELETE FROM engagement.${table} WHERE (platform, user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      keys,
    );
  await tx.query(
    `DELETE FROM engagement.award_evidence USING engagement.awards
     WHERE award_evidence.award_id = awards.award_id
       AND (awards.platform, awards.user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    keys,
  );
  await tx.query(
    `UPDATE engagement.awards SET user_id = engagement.pseudonym(platform, user_id),
       platform_user_id = engagement.pseudonym(platform, platform_user_id)
     WHERE (platform, user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    keys,
  );
  await tx.query(`DELETE FROM engagement.users WHERE user_ref = ANY ($1::bigint[])`, [userRefs]);
}

function userDigest({ platform, userId }: UserKey): string {
  return identityDigest(platform, userId).toString('hex');
}
