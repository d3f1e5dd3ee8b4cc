import { Queryable } from '@podium/runtime/postgres';
import { PausedBecause } from './definition.entity';
import { knownAfterEndS } from './published-definitions.store';

/** The operator of audit entries that no operator made. */
export const engineOperator = 'engine';

/** A task that has issued more than it may on one UTC day of `reached_at`. */
export interface TaskOverRate extends PausedBecause {
  readonly definitionId: string;
}

/** Of a definition that has ended: events of before its end can still arrive, so that a task still awards. */
const isStillEvaluated = `state = 'ended' AND ended_at > now() - make_interval(secs => ${knownAfterEndS})`;

/** Of a version of a task that awards. */
const isAwarding = `(state = 'published' OR (${isStillEvaluated} AND NOT ended_while_paused))`;

/**
 * Days of awarding tasks beyond the rate of the version that was in force on them. On the day of a change that is the higher
 * rate of both versions, and none if one of them has none.
 */
const daysOverRateSql = `
  WITH rates AS (
    SELECT definition_id, max_per_day,
      lag(version) OVER versions IS NULL AS is_first,
      (to_timestamp(in_force_from) AT TIME ZONE 'UTC')::date AS from_day,
      (to_timestamp(lead(in_force_from) OVER versions - 1) AT TIME ZONE 'UTC')::date AS to_day
    FROM engagement.definitions WHERE kind = 'task' AND published_at IS NOT NULL
    WINDOW versions AS (PARTITION BY definition_id ORDER BY version))
  SELECT definition_id, day, awards, max(rates.max_per_day) AS max_per_day
  FROM rates JOIN engagement.task_days
    ON task_id = definition_id AND (is_first OR day >= from_day) AND (to_day IS NULL OR day <= to_day)
  WHERE NOT accepted AND EXISTS (
    SELECT FROM engagement.definitions AS live WHERE live.definition_id = task_id AND ${isAwarding})
  GROUP BY definition_id, day, awards
  HAVING bool_and(rates.max_per_day IS NOT NULL) AND awards > max(rates.max_per_day)`;

/** The awarding tasks with a day beyond their `max_per_day`, the newest such day of each. */
export async function readTasksOverRate(db: Queryable): Promise<TaskOverRate[]> {
  const { rows } = await db.query<TaskOverRate>(
    `SELECT DISTINCT ON (definition_id) definition_id AS "definitionId", day::text, awards, max_per_day
     FROM (${daysOverRateSql}) AS beyond ORDER BY definition_id, day DESC`,
  );
  return rows;
}

/** What the audit trail says of a task that was paused. */
export interface PausedTask {
  readonly organizerId: string;
  readonly version: number;
  readonly name: string;
  /** Unix seconds; null: it has not ended. */
  readonly endedAt: number | null;
}

/** Locks a definition as its other changes do. */
export async function lockDefinition(tx: Queryable, definitionId: string): Promise<void> {
  await tx.query(`SELECT FROM engagement.definitions WHERE definition_id = $1 AND version = 1 FOR UPDATE`, [
    definitionId,
  ]);
}

/** Pauses a task; one that has ended stays ended, and holds what it reaches from now on. Null when it does not award any more. */
export async function pauseTask(
  tx: Queryable,
  definitionId: string,
  because: PausedBecause,
): Promise<PausedTask | null> {
  const { rows } = await tx.query<PausedTask>(
    `UPDATE engagement.definitions
     SET state = CASE state WHEN 'ended' THEN 'ended' ELSE 'paused' END, ended_while_paused = state = 'ended', paused_because = $2
     WHERE definition_id = $1 AND ${isAwarding}
     RETURNING organizer_id AS "organizerId", version, name,
       CASE state WHEN 'ended' THEN extract(epoch FROM ended_at)::bigint END AS "endedAt"`,
    [definitionId, JSON.stringify(because)],
  );
  return rows[0] ?? null;
}

/** An operator resumes a task: the days that are beyond its rate by now do not pause it again. */
export async function acceptTaskDays(tx: Queryable, definitionId: string): Promise<void> {
  await tx.query(
    `UPDATE engagement.task_days SET accepted = true FROM (${daysOverRateSql}) AS beyond
     WHERE task_id = $1 AND beyond.definition_id = $1 AND task_days.day = beyond.day`,
    [definitionId],
  );
}

/** The number of tasks that the engine has paused and of which no operator has decided; of those that have ended, while they hold. */
export async function countPausedByEngine(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ tasks: number }>(
    `SELECT count(*) AS tasks FROM engagement.definitions
     WHERE paused_because IS NOT NULL AND (state = 'paused' OR ${isStillEvaluated})`,
  );
  return rows[0].tasks;
}
