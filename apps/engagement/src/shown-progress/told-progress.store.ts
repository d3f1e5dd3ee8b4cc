import { Queryable } from '@podium/runtime/postgres';
import { dueByTime } from '../progress/due-times.store';
import { Told, packTold, unpackTold } from './told-progress';

/** What was last told of the user of a row. */
export interface ToldUser extends Told {
  readonly userRef: number;
  /** Of the newest record; 0 before the first. */
  readonly revision: number;
}

/** What was told of users, by user row; one who is missing was never told of. */
export type ToldOfUsers = ReadonlyMap<number, Omit<ToldUser, 'userRef'>>;

/** Reads what was told of users; the caller has locked them. */
export async function readTold(
  tx: Queryable,
  userRefs: readonly number[],
): Promise<Map<number, { readonly revision: number } & ReturnType<typeof unpackTold>>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<{ user_ref: number; revision: number; told: Buffer }>(
    `SELECT user_ref, revision, told FROM engagement.told_progress WHERE user_ref = ANY ($1::bigint[])`,
    [userRefs],
  );
  return new Map(rows.map(({ user_ref, revision, told }) => [user_ref, { revision, ...unpackTold(told) }]));
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

/**
 * Makes tasks due for at most `limit` marked users of their platforms and takes the marks away; returns how many users. The caller
 * holds the epoch.
 */
export async function makeStaleDue(
  tx: Queryable,
  tasks: readonly { readonly definitionId: string; readonly platform: string }[],
  { limit, nowS }: { readonly limit: number; readonly nowS: number },
): Promise<number> {
  const { rows } = await tx.query<{ users: number }>(
    `WITH stale AS (
       UPDATE engagement.told_progress SET is_stale = false WHERE user_ref IN (
         SELECT user_ref FROM engagement.told_progress WHERE is_stale LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING user_ref),
     due AS (
       INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at)
       SELECT user_ref, definition_id, $4 FROM stale
       JOIN engagement.users USING (user_ref)
       JOIN unnest($1::uuid[], $2::text[]) AS task (definition_id, platform) USING (platform)
       ON CONFLICT (user_ref, definition_id) DO UPDATE SET ${dueByTime})
     SELECT count(*) AS users FROM stale`,
    [tasks.map(({ definitionId }) => definitionId), tasks.map(({ platform }) => platform), limit, nowS],
  );
  return rows[0].users;
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
