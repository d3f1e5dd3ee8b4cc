import { Queryable } from '@podium/runtime/postgres';

/** One definition of one user. */
export interface UserDefinition {
  readonly userRef: number;
  readonly definitionId: string;
}

/** When a definition must be evaluated again for a user, Unix seconds; null when only an event can change it. */
export interface DueTime extends UserDefinition {
  readonly dueAt: number | null;
}

/** Sets or clears due times; the caller has locked the users. */
export async function writeDueTimes(tx: Queryable, times: readonly DueTime[]): Promise<void> {
  const set = times.filter((time) => time.dueAt !== null);
  const cleared = times.filter((time) => time.dueAt === null);
  if (cleared.length > 0)
    await tx.query(
      `DELETE FROM engagement.due_times
       WHERE (user_ref, definition_id) IN (SELECT * FROM unnest($1::bigint[], $2::uuid[]))`,
      [cleared.map((time) => time.userRef), cleared.map((time) => time.definitionId)],
    );
  if (set.length > 0)
    await tx.query(
      `INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at)
       SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bigint[])
       ON CONFLICT (user_ref, definition_id) DO UPDATE SET due_at = excluded.due_at, reason = excluded.reason,
         time_due_at = NULL
       WHERE (known.due_at, known.reason) <> (excluded.due_at, excluded.reason)`,
      [set.map((time) => time.userRef), set.map((time) => time.definitionId), set.map((time) => time.dueAt)],
    );
}

/** For what makes rows (as `known`) of a backfill's users due by time too, so that they do not wait while it is paused. */
export const dueByTime = `due_at = least(known.due_at, excluded.due_at),
  time_due_at = CASE known.reason WHEN 'definition' THEN least(known.time_due_at, excluded.due_at) END`;

/** For what makes rows (as `known`) due as a version does; an instant at which time makes them due is kept. */
export const dueByDefinition = `due_at = least(known.due_at, excluded.due_at), reason = excluded.reason,
  time_due_at = CASE known.reason WHEN 'time' THEN known.due_at ELSE known.time_due_at END`;

/** Makes definitions due for users, unless they are due before. */
export async function makeDue(tx: Queryable, due: readonly UserDefinition[], atS: number): Promise<void> {
  if (due.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at)
     SELECT DISTINCT user_ref, definition_id, $3::bigint
     FROM unnest($1::bigint[], $2::uuid[]) AS given (user_ref, definition_id)
     ON CONFLICT (user_ref, definition_id) DO UPDATE SET ${dueByTime}`,
    [due.map((each) => each.userRef), due.map((each) => each.definitionId), atS],
  );
}

/** A definition that is due for a user, with the reason. */
export interface Due extends UserDefinition {
  readonly reason: 'time' | 'definition';
}

/**
 * Users for whom one of the definitions is due, each by its time (Unix seconds); nothing is locked. Definitions with something
 * due get equal shares of `mostUsers`, and those who have waited longest come first in each: a definition with many due users
 * does not delay the others, and no more rows are read than users are found. Users whom time made due come before those of a
 * new version, which may take long, and wait while its backfill is paused. `dueAt` is the earliest time that made one due.
 */
export async function readDueUsers(
  db: Queryable,
  definitions: readonly { readonly definitionId: string; readonly untilS: number }[],
  { mostUsers, aside }: { mostUsers: number; aside: readonly number[] },
): Promise<{ readonly userRefs: number[]; readonly dueAt: number | null }> {
  const { rows } = await db.query<{ user_ref: number; due_at: number | null }>(
    `WITH waiting AS MATERIALIZED (
       SELECT live.*, paused_sweeps.definition_id IS NOT NULL AS is_paused, count(*) OVER () AS definitions
       FROM unnest($1::uuid[], $2::bigint[]) AS live (definition_id, until_s)
       LEFT JOIN engagement.paused_sweeps USING (definition_id)
       WHERE EXISTS (SELECT FROM engagement.due_times
         WHERE due_times.definition_id = live.definition_id AND due_at <= live.until_s
           AND (reason = 'time' OR paused_sweeps.definition_id IS NULL OR time_due_at <= live.until_s)))
     SELECT due.user_ref, min(due.time_at) AS due_at
     FROM waiting CROSS JOIN LATERAL (
       SELECT user_ref, due_at,
         CASE WHEN reason = 'time' THEN due_at WHEN time_due_at <= waiting.until_s THEN time_due_at END AS time_at
       FROM engagement.due_times
       WHERE due_times.definition_id = waiting.definition_id AND due_at <= waiting.until_s
         AND user_ref <> ALL ($4::bigint[]) AND (reason = 'time' OR NOT is_paused OR time_due_at <= waiting.until_s)
       ORDER BY due_at LIMIT ceil($3::numeric / definitions)::bigint) AS due
     GROUP BY due.user_ref ORDER BY due_at, min(due.due_at), due.user_ref LIMIT $3`,
    [definitions.map(({ definitionId }) => definitionId), definitions.map(({ untilS }) => untilS), mostUsers, aside],
  );
  return { userRefs: rows.map((row) => row.user_ref), dueAt: rows[0]?.due_at ?? null };
}

/**
 * The due definitions of the given users; of paused backfills only what is due by time too, with that reason. The caller has
 * locked the users.
 */
export async function readDue(tx: Queryable, userRefs: readonly number[], nowS: number): Promise<Due[]> {
  const { rows } = await tx.query<{ user_ref: number; definition_id: string; reason: Due['reason'] }>(
    `SELECT user_ref, definition_id, CASE WHEN paused_sweeps.definition_id IS NULL THEN reason ELSE 'time' END AS reason
     FROM engagement.due_times LEFT JOIN engagement.paused_sweeps USING (definition_id)
     WHERE user_ref = ANY($1::bigint[]) AND due_at <= $2
       AND (reason = 'time' OR paused_sweeps.definition_id IS NULL OR time_due_at <= $2)`,
    [userRefs, nowS],
  );
  return rows.map((row) => ({ userRef: row.user_ref, definitionId: row.definition_id, reason: row.reason }));
}

/** Deletes due times of users who no longer exist: their write raced an erasure. The caller holds the epoch. */
export async function deleteOrphanedDueTimes(tx: Queryable, userRefs: readonly number[]): Promise<void> {
  await tx.query(
    `DELETE FROM engagement.due_times WHERE user_ref = ANY($1::bigint[])
     AND NOT EXISTS (SELECT FROM engagement.users WHERE users.user_ref = due_times.user_ref)`,
    [userRefs],
  );
}

/** Deletes at most `limit` due times of definitions that ended before a time; returns how many. */
export async function deleteDueOfEnded(db: Queryable, endedBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM engagement.due_times WHERE ctid = ANY (ARRAY(
       SELECT due.row_id
       FROM engagement.definitions AS ended
       CROSS JOIN LATERAL (
         SELECT ctid AS row_id FROM engagement.due_times WHERE due_times.definition_id = ended.definition_id
         LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
       WHERE ended.state = 'ended' AND ended.ended_at < $1
       LIMIT $2))`,
    [endedBefore, limit],
  );
  return rowCount ?? 0;
}

/** The delay of the oldest due time of the given definitions, seconds; 0 when none is late. Backfills have no time. */
export async function readDueLag(db: Queryable, definitionIds: readonly string[], nowS: number): Promise<number> {
  const { rows } = await db.query<{ due_at: number | null }>(
    `SELECT min(due.due_at) AS due_at
     FROM unnest($1::uuid[]) AS live (definition_id)
     CROSS JOIN LATERAL (
       SELECT least(
         (SELECT min(due_at) FROM engagement.due_times
          WHERE due_times.definition_id = live.definition_id AND reason = 'time'),
         (SELECT min(time_due_at) FROM engagement.due_times
          WHERE due_times.definition_id = live.definition_id AND reason = 'definition')) AS due_at) AS due`,
    [definitionIds],
  );
  const oldest = rows[0]?.due_at ?? null;
  return oldest === null ? 0 : Math.max(0, nowS - oldest);
}

/**
 * How many users a sweep has made due for these definitions and nothing has evaluated yet, up to `most` or more; without those
 * of paused backfills, whom nothing evaluates until they are resumed, and without users (rows) who are set aside.
 */
export async function countSweptDue(
  tx: Queryable,
  definitionIds: readonly string[],
  { most, aside }: { readonly most: number; readonly aside: readonly number[] },
): Promise<number> {
  const { rows } = await tx.query<{ due: number }>(
    `SELECT count(DISTINCT user_ref) AS due FROM (
       SELECT user_ref FROM engagement.due_times
       WHERE reason = 'definition' AND user_ref <> ALL ($3::bigint[]) AND definition_id = ANY (ARRAY(
         SELECT unnest($1::uuid[]) EXCEPT SELECT definition_id FROM engagement.paused_sweeps))
       LIMIT $2) AS swept`,
    [definitionIds, most * definitionIds.length, aside],
  );
  return rows[0].due;
}

/** Makes definitions due now for the next users of their platform, by user row; returns their number and the last of them. */
export async function makeDueForUsers(
  tx: Queryable,
  platform: string,
  definitionIds: readonly string[],
  page: { afterUserRef: number; limit: number; nowS: number },
): Promise<{ users: number; last: number | null }> {
  const { rows } = await tx.query<{ users: number; last: number | null }>(
    `WITH page AS (
       SELECT user_ref FROM engagement.users WHERE platform = $2 AND user_ref > $3 ORDER BY user_ref LIMIT $4),
     due AS (
       INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at, reason)
       SELECT user_ref, definition_id, $5, 'definition' FROM page CROSS JOIN unnest($1::uuid[]) AS definition_id
       ON CONFLICT (user_ref, definition_id) DO UPDATE SET ${dueByDefinition})
     SELECT count(*) AS users, max(user_ref) AS last FROM page`,
    [definitionIds, platform, page.afterUserRef, page.limit, page.nowS],
  );
  return rows[0];
}
