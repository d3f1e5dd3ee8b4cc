import { BonusAwardIssuedData } from '@podium/messages';
import { ReversedAward } from './awards.store';
import { DayChange } from './day-counts.store';
import { TaskFinding } from './task-finding';

/** The tasks of which a version has a rate above which the engine pauses them: what it issues for them is counted. */
export function tasksWithRate(findings: readonly Pick<TaskFinding, 'task'>[]): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ task: { definitionId, versions } }) =>
      versions.some(({ maxPerDay }) => maxPerDay !== undefined) ? [definitionId] : [],
    ),
  );
}

/** What awards change in the counts of days: a reversal takes back what its issue has added. */
export function dayChanges(
  withRate: ReadonlySet<string>,
  issued: readonly BonusAwardIssuedData[],
  reversed: readonly ReversedAward[],
): DayChange[] {
  const changes = new Map<string, DayChange>();
  const add = ({ task_id: taskId, reached_at }: BonusAwardIssuedData, count: number): void => {
    const day = new Date(reached_at * 1000).toISOString().slice(0, 10);
    const key = `${taskId} ${day}`;
    changes.set(key, { taskId, day, awards: (changes.get(key)?.awards ?? 0) + count });
  };
  for (const award of issued) if (withRate.has(award.task_id)) add(award, 1);
  for (const { award, isCounted } of reversed) if (isCounted ?? withRate.has(award.task_id)) add(award, -1);
  return [...changes.values()].filter(({ awards }) => awards !== 0);
}
