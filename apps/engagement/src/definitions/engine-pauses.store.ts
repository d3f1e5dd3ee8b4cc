import { Queryable } from '@podium/runtime/postgres';
import { PausedBecause } from './definition.entity';

/** The operator of audit entries that no operator made. */
export const engineOperator = 'engine';

/** A published task that has issued more than it may on one UTC day of `reached_at`. */
export interface TaskOverRate extends PausedBecause {
  readonly definitionId: string;
}

/** The published tasks with a day beyond their `max_per_day`, the newest such day of each. */
export async function readTasksOverRate(db: Queryable): Promise<TaskOverRate[]> {
  const { rows } = await db.query<TaskOverRate>(
    `SELECT DISTINCT ON (definition_id) definition_id AS "definitionId", day::text, awards, max_per_day
     FROM engagement.definitions JOIN engagement.task_days ON task_id = definition_id
     WHERE state = 'published' AND awards > max_per_day AND NOT accepted
     ORDER BY definition_id, day DESC`,
  );
  return rows;
}

/** What the audit trail says of a task that was paused. */
export interface PausedTask {
  readonly organizerId: string;
  readonly version: number;
  readonly name: string;
}

/** Locks a definition as its other changes do. */
export async function lockDefinition(tx: Queryable, definitionId: string): Promise<void> {
  await tx.query(`SELECT FROM engagement.definitions WHERE definition_id = $1 AND version = 1 FOR UPDATE`, [
    definitionId,
  ]);
}

/** Pauses the published version of a task; null when it is not published any more. */
export async function pauseTask(
  tx: Queryable,
  definitionId: string,
  because: PausedBecause,
): Promise<PausedTask | null> {
  const { rows } = await tx.query<PausedTask>(
    `UPDATE engagement.definitions SET state = 'paused', paused_because = $2
     WHERE definition_id = $1 AND state = 'published'
     RETURNING organizer_id AS "organizerId", version, name`,
    [definitionId, JSON.stringify(because)],
  );
  return rows[0] ?? null;
}

/** An operator resumes a task: the days that are beyond its rate by now do not pause it again. */
export async function acceptTaskDays(tx: Queryable, definitionId: string): Promise<void> {
  await tx.query(
    `UPDATE engagement.task_days SET accepted = true FROM engagement.definitions
     WHERE task_id = $1 AND definition_id = $1 AND state = 'published' AND awards > max_per_day`,
    [definitionId],
  );
}

/** The number of tasks that the engine has paused and that nobody has resumed. */
export async function countPausedByEngine(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ tasks: number }>(
    `SELECT count(*) AS tasks FROM engagement.definitions WHERE state = 'paused' AND paused_because IS NOT NULL`,
  );
  return rows[0].tasks;
}
