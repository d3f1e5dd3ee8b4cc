import { Queryable } from '@podium/runtime/postgres';
import { LockedUser } from '../users/users.store';
import { Told, packTold, unpackTold } from './told-progress';

/** What was last told of the user of a row. */
export interface ToldUser extends Told {
  readonly userRef: number;
  /** Of the newest record; 0 before the first. */
  readonly revision: number;
}

/** What was told of users, by user row; one who is missing was never told of. */
export type ToldOfUsers = ReadonlyMap<number, StoredTold>;

/** What was told of a user, as it is stored. */
interface StoredTold extends Omit<ToldUser, 'userRef'> {
  /** Whether something that changed since could not be told. */
  readonly isStale: boolean;
}

/** Reads what was told of users; the caller has locked them. */
export async function readTold(
  tx: Queryable,
  userRefs: readonly number[],
): Promise<Map<number, StoredTold & ReturnType<typeof unpackTold>>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<{ user_ref: number; revision: number; told: Buffer; is_stale: boolean }>(
    `SELECT user_ref, revision, told, is_stale FROM engagement.told_progress WHERE user_ref = ANY ($1::bigint[])`,
    [userRefs],
  );
  return new Map(
    rows.map((row) => [row.user_ref, { revision: row.revision, isStale: row.is_stale, ...unpackTold(row.told) }]),
  );
}

/** Writes what was told of locked users; `stored` are those whose row was read. */
export async function writeTold(
  tx: Queryable,
  users: readonly ToldUser[],
  stored: { has(userRef: number): boolean },
): Promise<void> {
  const known = users.filter(({ userRef }) => stored.has(userRef));
  const added = users.filter(({ userRef }) => !stored.has(userRef));
  // The second condition is for the planner: of the join alone it may think that all rows have to be read.
  if (known.length > 0)
    await tx.query(
      `UPDATE engagement.told_progress AS known SET revision = given.revision, told = given.told
       FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS given (user_ref, revision, told)
       WHERE known.user_ref = given.user_ref AND known.user_ref = ANY ($1::bigint[])`,
      toldColumns(known),
    );
  if (added.length > 0)
    await tx.query(
      `INSERT INTO engagement.told_progress (user_ref, revision, told)
       SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])`,
      toldColumns(added),
    );
}

function toldColumns(users: readonly ToldUser[]): [number[], number[], Uint8Array[]] {
  return [users.map(({ userRef }) => userRef), users.map(({ revision }) => revision), users.map(packTold)];
}

/** Marks locked users whose progress has to be told once that is possible. */
export async function markStale(tx: Queryable, userRefs: readonly number[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.told_progress AS known (user_ref, revision, told, is_stale)
     SELECT user_ref, 0, $2, true FROM unnest($1::bigint[]) AS given (user_ref)
     ON CONFLICT (user_ref) DO UPDATE SET is_stale = true WHERE NOT known.is_stale`,
    [userRefs, packTold({ tasks: new Map(), link: null })],
  );
}

/** Locks marked users that no other transaction has locked, without those set aside, at most `limit`. */
export async function lockStaleUsers(tx: Queryable, limit: number, aside: readonly number[]): Promise<LockedUser[]> {
  const { rows } = await tx.query<LockedUser>(
    `SELECT user_ref AS "userRef", platform, user_id AS "userId"
     FROM engagement.told_progress JOIN engagement.users USING (user_ref)
     WHERE is_stale AND user_ref <> ALL ($2::bigint[])
     LIMIT $1 FOR NO KEY UPDATE OF users SKIP LOCKED`,
    [limit, aside],
  );
  return rows;
}

/** Takes the marks of locked users away. */
export async function endStale(tx: Queryable, userRefs: readonly number[]): Promise<void> {
  await tx.query(
    `UPDATE engagement.told_progress SET is_stale = false WHERE user_ref = ANY ($1::bigint[]) AND is_stale`,
    [userRefs],
  );
}

/** A series of a user's task. */
export interface SeriesOfUser {
  readonly userRef: number;
  readonly userId: string;
  readonly taskId: string;
  readonly series: string;
}

/**
 * Unix seconds at which series were reached by the record of awards and of what is not issued, in the given order; null for one
 * without any.
 */
export async function readRecordedSeries(tx: Queryable, asked: readonly SeriesOfUser[]): Promise<(number | null)[]> {
  if (asked.length === 0) return [];
  const { rows } = await tx.query<{ reached_at: number | null }>(
    `SELECT least(awarded.reached_at, noted.reached_at) AS reached_at
     FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::text[])
       WITH ORDINALITY AS given (user_ref, user_id, task_id, series, at)
     CROSS JOIN LATERAL (
       SELECT min(reached_at) AS reached_at FROM engagement.awards
       WHERE awards.task_id = given.task_id AND awards.user_id = given.user_id AND NOT reversed
         AND (occurrence = given.series OR starts_with(occurrence, given.series || ':'))) AS awarded
     CROSS JOIN LATERAL (
       SELECT min(reached_at) AS reached_at FROM engagement.unissued_awards AS unissued
       WHERE unissued.user_ref = given.user_ref AND unissued.task_id = given.task_id
         AND unissued.series = given.series) AS noted
     ORDER BY given.at`,
    [
      asked.map(({ userRef }) => userRef),
      asked.map(({ userId }) => userId),
      asked.map(({ taskId }) => taskId),
      asked.map(({ series }) => series),
    ],
  );
  return rows.map(({ reached_at }) => reached_at);
}
