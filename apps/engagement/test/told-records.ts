import { TaskProgressData, topics } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import type { TaskDefinition } from '../src/evaluation/definition';

/** The records of progress in the outbox, oldest first. */
export async function toldRecords(pool: Pool): Promise<TaskProgressData[]> {
  const { rows } = await pool.query<{ data: string }>(
    'SELECT data FROM engagement.outbox WHERE topic = $1 ORDER BY id',
    [topics.taskProgress.name],
  );
  return rows.map(({ data }) => JSON.parse(data) as TaskProgressData);
}

/** The tasks of each record that `work` publishes. */
export async function newlyTold(pool: Pool, work: () => Promise<unknown>): Promise<TaskProgressData['tasks'][]> {
  const before = (await toldRecords(pool)).length;
  await work();
  return (await toldRecords(pool)).slice(before).map(({ tasks }) => tasks);
}

/** A task as a record shows it; of version 1 and not reached, unless stated. */
export function shownOf(
  { definitionId }: TaskDefinition,
  shown: Partial<TaskProgressData['tasks'][number]>,
): TaskProgressData['tasks'][number] {
  const defaults = { task_version: 1, series: '', period_ends_at: null, value: null, target: null, reached: false };
  return { task_id: definitionId, ...defaults, ...shown };
}
