import { BonusAwardIssuedData } from '@podium/messages';
import { DayChange } from './day-counts.store';
import { TaskFinding } from './task-finding';

/** An award as it was issued or reversed. */
type DatedAward = Pick<BonusAwardIssuedData, 'task_id' | 'reached_at'>;

/** What awards change in the counts of days, of tasks whose newest version has a rate above which the engine pauses them. */
export function dayChanges(
  findings: readonly Pick<TaskFinding, 'task'>[],
  issued: readonly DatedAward[],
  reversed: readonly DatedAward[],
): DayChange[] {
  const limited = new Set(
    findings.flatMap(({ task: { definitionId, versions } }) =>
      versions[versions.length - 1].maxPerDay === undefined ? [] : [definitionId],
    ),
  );
  const changes = new Map<string, DayChange>();
  const add = ({ task_id: taskId, reached_at }: DatedAward, count: number): void => {
    if (!limited.has(taskId)) return;
    const day = new Date(reached_at * 1000).toISOString().slice(0, 10);
    const key = `${taskId} ${day}`;
    changes.set(key, { taskId, day, awards: (changes.get(key)?.awards ?? 0) + count });
  };
  for (const award of issued) add(award, 1);
  for (const award of reversed) add(award, -1);
  return [...changes.values()].filter(({ awards }) => awards !== 0);
}
