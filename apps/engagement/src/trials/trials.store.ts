import { Queryable, violatedConstraint } from '@podium/runtime/postgres';
import { ListedDryRun, ListedTrial, NewTrial, Trial, TrialState, tasksOf } from './trial';

/** How long the result of a trial is kept, days. */
export const keptDays = 30;

const listedColumns = `trial_id AS "trialId", definition_id AS "definitionId", version, platform, as_of AS "asOf",
  CASE WHEN dates_from IS NOT NULL THEN json_build_object('from', dates_from, 'to', dates_to) END AS dates,
  state, ordered_by AS "orderedBy", ordered_at AS "orderedAt", finished_at AS "finishedAt", users_total AS "usersTotal",
  last_user_ref AS "lastUserRef", after_user_ref AS "afterUserRef", users_done AS "usersDone", members, failures`;

const columns = `${listedColumns}, subject`;

/** Adds a trial; false while another one of the definition has not finished. */
export async function insertTrial(tx: Queryable, trial: NewTrial, orderedAt: Date): Promise<boolean> {
  const { trialId, definitionId, version, platform, subject, asOf, dates, orderedBy } = trial;
  try {
    await tx.query(
      `INSERT INTO engagement.trials (trial_id, kind, definition_id, version, platform, subject, as_of, dates_from,
         dates_to, state, ordered_by, ordered_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting', $10, $11)`,
      [
        ...[trialId, subject.kind, definitionId, version, platform, JSON.stringify(subject), asOf],
        ...[dates?.from ?? null, dates?.to ?? null, orderedBy, orderedAt],
      ],
    );
  } catch (error) {
    if (violatedConstraint(error) === 'trials_unfinished') return false;
    throw error;
  }
  const sides = tasksOf(subject);
  await tx.query(
    `INSERT INTO engagement.trial_tasks (trial_id, side, version)
     SELECT $1, * FROM unnest($2::text[], $3::int[])`,
    [trialId, sides.map(({ side }) => side), sides.map(({ task }) => task.versions[0].version)],
  );
  return true;
}

/** Makes all statements of a transaction see the data of one moment; to be called first in it. */
export async function readFromOneMoment(tx: Queryable): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
}

/**
 * Locks the trial that waits longest, if no other instance has it: a platform has one at a time. The lock is held until the
 * transaction ends, so that a trial whose instance has died is continued by another one from its watermark.
 */
export async function takeTrial(tx: Queryable): Promise<Trial | null> {
  const { rows } = await tx.query<Trial>(
    `SELECT ${columns} FROM engagement.trials AS trial
     WHERE finished_at IS NULL AND NOT EXISTS (
       SELECT FROM engagement.trials AS older
       WHERE older.finished_at IS NULL AND older.platform = trial.platform
         AND (older.ordered_at, older.trial_id) < (trial.ordered_at, trial.trial_id))
     ORDER BY ordered_at, trial_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  return rows[0] ?? null;
}

/** Counts the users of the platform; later ones are not evaluated. */
export async function beginTrial(tx: Queryable, { trialId, platform }: Trial): Promise<void> {
  await tx.query(
    `UPDATE engagement.trials SET state = 'running', users_total = known.users, last_user_ref = known.last
     FROM (SELECT count(*) AS users, coalesce(max(user_ref), 0) AS last FROM engagement.users WHERE platform = $2) AS known
     WHERE trial_id = $1`,
    [trialId, platform],
  );
}

/** What a page of users adds to a trial. */
export interface TrialProgress {
  readonly afterUserRef: number;
  readonly users: number;
  readonly members: number;
}

/** Moves the watermark of a trial behind a page of users. */
export async function advanceTrial(tx: Queryable, trialId: string, progress: TrialProgress): Promise<void> {
  await tx.query(
    `UPDATE engagement.trials SET after_user_ref = $2, users_done = users_done + $3, members = members + $4, failures = 0
     WHERE trial_id = $1`,
    [trialId, progress.afterUserRef, progress.users, progress.members],
  );
}

/** Moves a trial to its next state; one that has finished does not change any more. */
export async function moveTrial(db: Queryable, trialId: string, state: TrialState, now: Date): Promise<void> {
  const isOver = state === 'finished' || state === 'cancelled' || state === 'failed';
  await db.query(
    `UPDATE engagement.trials SET state = $2, finished_at = $3 WHERE trial_id = $1 AND finished_at IS NULL`,
    [trialId, state, isOver ? now : null],
  );
}

/** Counts a failure of the trial that is at its turn; returns how many there were in succession. */
export async function countFailure(db: Queryable, trialId: string): Promise<number> {
  const { rows } = await db.query<{ failures: number }>(
    `UPDATE engagement.trials SET failures = failures + 1 WHERE trial_id = $1 RETURNING failures`,
    [trialId],
  );
  return rows[0]?.failures ?? 0;
}

/** Counts from 0 again, after a step that succeeded. */
export async function forgetFailures(tx: Queryable, trialId: string): Promise<void> {
  await tx.query(`UPDATE engagement.trials SET failures = 0 WHERE trial_id = $1 AND failures > 0`, [trialId]);
}

/** A trial of a definition; null when there is none. */
export async function findTrial(db: Queryable, definitionId: string, trialId: string): Promise<Trial | null> {
  const { rows } = await db.query<Trial>(
    `SELECT ${columns} FROM engagement.trials WHERE definition_id = $1 AND trial_id = $2`,
    [definitionId, trialId],
  );
  return rows[0] ?? null;
}

/** The previews of a segment, newest first. */
export async function listPreviews(db: Queryable, definitionId: string, limit: number): Promise<ListedTrial[]> {
  return listRows(db, listedColumns, definitionId, limit);
}

/** The dry runs of a task, newest first. */
export async function listDryRuns(db: Queryable, definitionId: string, limit: number): Promise<ListedDryRun[]> {
  return listRows<ListedDryRun>(db, `${listedColumns}, subject - 'segments' AS subject`, definitionId, limit);
}

async function listRows<Listed extends ListedTrial>(
  db: Queryable,
  selected: string,
  definitionId: string,
  limit: number,
): Promise<Listed[]> {
  const { rows } = await db.query<Listed>(
    `SELECT ${selected} FROM engagement.trials WHERE definition_id = $1 ORDER BY ordered_at DESC, trial_id LIMIT $2`,
    [definitionId, limit],
  );
  return rows;
}

/** The users of a platform after a row, at most up to another one, by row. */
export async function readTrialUsers(
  tx: Queryable,
  { platform, afterUserRef, lastUserRef }: Trial,
  limit: number,
): Promise<{ readonly userRef: number; readonly userId: string }[]> {
  const { rows } = await tx.query<{ userRef: number; userId: string }>(
    `SELECT user_ref AS "userRef", user_id AS "userId" FROM engagement.users
     WHERE platform = $1 AND user_ref > $2 AND user_ref <= $3 ORDER BY user_ref LIMIT $4`,
    [platform, afterUserRef, lastUserRef, limit],
  );
  return rows;
}

/** Deletes at most `limit` rows of trials that are kept no longer; returns how many. */
export async function deleteExpiredTrials(db: Queryable, now: Date, limit: number): Promise<number> {
  const until = new Date(now.getTime() - keptDays * 86_400_000);
  for (const table of ['trial_awards', 'trial_capped', 'trial_members']) {
    const { rowCount } = await db.query(
      `DELETE FROM engagement.${table} WHERE ctid = ANY (ARRAY(
         SELECT ${table}.ctid FROM engagement.trials JOIN engagement.${table} USING (trial_id)
         WHERE finished_at < $1 LIMIT $2))`,
      [until, limit],
    );
    if (rowCount) return rowCount;
  }
  const { rowCount } = await db.query(`DELETE FROM engagement.trials WHERE finished_at < $1`, [until]);
  return rowCount ?? 0;
}

/**
 * Keeps users from being erased until the transaction ends: what is written of them is found by their erasure. In a transaction
 * that reads from one moment it fails, to be retried, when one of them has been erased since.
 */
export async function keepUsers(tx: Queryable, users: readonly { readonly userRef: number }[]): Promise<void> {
  await tx.query(
    `SELECT FROM engagement.users WHERE user_ref = ANY ($1::bigint[]) ORDER BY platform, user_id FOR KEY SHARE`,
    [users.map(({ userRef }) => userRef)],
  );
}
