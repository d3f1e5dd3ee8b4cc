import { Queryable } from '@podium/runtime/postgres';

/** A version of a definition. */
interface SweptVersion {
  readonly definitionId: string;
  readonly version: number;
}

/** So many users of a platform are counted: events wait for the transaction, and a platform may have millions. */
const mostCounted = 100_000;

/**
 * Locks a version's sweep, which begins with that, and returns the last user it reached; null when it is finished, paused, or
 * locked by another instance. Of a platform with more users than `countedUsers` their number is estimated.
 */
export async function takeSweep(
  tx: Queryable,
  { definitionId, version, platform }: SweptVersion & { readonly platform: string },
  countedUsers = mostCounted,
): Promise<{ afterUserRef: number } | null> {
  const { rowCount: begun } = await tx.query(
    `INSERT INTO engagement.definition_sweeps (definition_id, version, after_user_ref)
     SELECT $1, $2, 0
     WHERE NOT EXISTS (SELECT FROM engagement.definition_sweeps WHERE definition_id = $1 AND version = $2)
     ON CONFLICT DO NOTHING`,
    [definitionId, version],
  );
  if (begun === 1)
    await tx.query(
      `UPDATE engagement.definition_sweeps SET users_total = $3 WHERE definition_id = $1 AND version = $2`,
      [definitionId, version, await usersOf(tx, platform, countedUsers)],
    );
  const { rows } = await tx.query<{ after_user_ref: number }>(
    `SELECT after_user_ref FROM engagement.definition_sweeps
     WHERE definition_id = $1 AND version = $2 AND finished_at IS NULL
       AND NOT EXISTS (SELECT FROM engagement.paused_sweeps WHERE paused_sweeps.definition_id = $1)
     FOR UPDATE SKIP LOCKED`,
    [definitionId, version],
  );
  return rows.length === 0 ? null : { afterUserRef: rows[0].after_user_ref };
}

/** The users of a platform: up to `most` of them are counted, else the planner's statistics say how many there are. */
async function usersOf(tx: Queryable, platform: string, most: number): Promise<number> {
  const { rows } = await tx.query<{ users: number }>(
    `SELECT count(*) AS users FROM (SELECT FROM engagement.users WHERE platform = $1 LIMIT $2) AS counted`,
    [platform, most],
  );
  if (rows[0].users < most) return rows[0].users;
  const { rows: plans } = await tx.query<{ 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] }>(
    `EXPLAIN (FORMAT JSON) SELECT FROM engagement.users WHERE platform = $1`,
    [platform],
  );
  return Math.max(most, plans[0]['QUERY PLAN'][0].Plan['Plan Rows']);
}

/** Stores the last user reached, after so many more; null ends the sweep, which has then reached all users. */
export async function moveSweep(
  tx: Queryable,
  { definitionId, version }: SweptVersion,
  { users, last }: { readonly users: number; readonly last: number | null },
): Promise<void> {
  await tx.query(
    `UPDATE engagement.definition_sweeps
     SET after_user_ref = coalesce($3, after_user_ref), users_swept = users_swept + $4,
       users_total = CASE
         WHEN users_total IS NULL THEN NULL
         WHEN $3::bigint IS NULL THEN users_swept + $4
         ELSE greatest(users_total, users_swept + $4) END,
       finished_at = CASE WHEN $3::bigint IS NULL THEN now() END
     WHERE definition_id = $1 AND version = $2`,
    [definitionId, version, last, users],
  );
}

/** The given versions whose sweep is finished, as `<definition id>/<version>`. */
export async function readFinishedSweeps(db: Queryable, versions: readonly SweptVersion[]): Promise<Set<string>> {
  const { rows } = await db.query<{ definition_id: string; version: number }>(
    `SELECT definition_id, version FROM engagement.definition_sweeps
     WHERE finished_at IS NOT NULL AND (definition_id, version) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))`,
    [versions.map((version) => version.definitionId), versions.map((version) => version.version)],
  );
  return new Set(rows.map((row) => `${row.definition_id}/${row.version}`));
}

/** A version's sweep with the users whom it made due and who are not evaluated yet. */
export interface SweepProgress {
  /** Of the platform when it began, about, and of those found once it has ended; null where the release before began it. */
  readonly usersTotal: number | null;
  readonly usersSwept: number;
  /** Whom sweeps made due for the definition until this one had found all users, counted up to a bound. */
  readonly usersWaiting: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Time for which it was paused before, seconds. */
  readonly pausedSeconds: number;
}

/** A pause that an operator has ordered. */
export interface SweepPause {
  readonly version: number;
  readonly pausedBy: string;
  readonly pausedAt: Date;
}

/** No sweep is further ahead of the evaluation. */
const maxWaiting = 100_000;

/** How far a version's sweep is, with waiting users counted up to `mostWaiting`; null before it begins. */
export async function readSweep(
  db: Queryable,
  version: SweptVersion,
  mostWaiting = maxWaiting,
): Promise<SweepProgress | null> {
  const { rows } = await db.query<SweepProgress>(
    `SELECT users_total AS "usersTotal", users_swept AS "usersSwept", waiting.users AS "usersWaiting",
       started_at AS "startedAt", finished_at AS "finishedAt", paused_seconds AS "pausedSeconds"
     FROM engagement.definition_sweeps
     CROSS JOIN LATERAL (
       SELECT count(*) AS users FROM (
         SELECT FROM engagement.due_times
         WHERE due_times.definition_id = $1 AND reason = 'definition'
           AND (finished_at IS NULL OR due_at <= ceil(extract(epoch FROM finished_at)))
         LIMIT $3) AS due) AS waiting
     WHERE definition_sweeps.definition_id = $1 AND version = $2`,
    [version.definitionId, version.version, mostWaiting],
  );
  return rows[0] ?? null;
}

/** The pause of a definition's sweep; null when it is not paused. */
export async function readSweepPause(db: Queryable, definitionId: string): Promise<SweepPause | null> {
  const { rows } = await db.query<SweepPause>(
    `SELECT version, paused_by AS "pausedBy", paused_at AS "pausedAt" FROM engagement.paused_sweeps WHERE definition_id = $1`,
    [definitionId],
  );
  return rows[0] ?? null;
}

/** Pauses a definition's sweep; returns whether it was not paused. */
export async function pauseSweep(tx: Queryable, version: SweptVersion, by: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO engagement.paused_sweeps (definition_id, version, paused_by, paused_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (definition_id) DO NOTHING`,
    [version.definitionId, version.version, by, at],
  );
  return rowCount === 1;
}

/** Ends the pause of a definition's sweep; returns whether it was paused. */
export async function resumeSweep(tx: Queryable, definitionId: string, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `WITH ended AS (
       DELETE FROM engagement.paused_sweeps WHERE definition_id = $1 RETURNING definition_id, version, paused_at),
     counted AS (
       UPDATE engagement.definition_sweeps AS sweep
       SET paused_seconds = paused_seconds
         + greatest(0, ceil(extract(epoch FROM $2 - greatest(ended.paused_at, sweep.started_at))))::bigint
       FROM ended WHERE sweep.definition_id = ended.definition_id AND sweep.version = ended.version)
     SELECT FROM ended`,
    [definitionId, at],
  );
  return rowCount === 1;
}
