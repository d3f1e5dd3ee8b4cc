import { QueuedEvent } from '../partners/partner';
import { AwardingTask, IssuedAward, PlatformAwards } from './issued-awards';

/** An award with the name of its task. */
export interface EventAward {
  readonly award: IssuedAward;
  readonly taskName: string;
}

/**
 * The awards that each event caused, by event id. An award contains no event id, but the account and the second of the event
 * that reached the goal. If several events match, each task's awards are assigned to them in turn.
 */
export function awardsByEvent(
  events: readonly QueuedEvent[],
  platform: Pick<PlatformAwards, 'awards' | 'tasks'>,
): Map<string, EventAward[]> {
  const found = new Map<string, EventAward[]>();
  const given = new Map<string, number>();
  for (const award of platform.awards.toReversed()) {
    const task = platform.tasks.find(({ task_id }) => task_id === award.task_id);
    const candidates = events.filter((event) => event.accepted && isReachedBy(award, task, event));
    if (candidates.length === 0) continue;
    const turn = `${award.task_id} ${award.platform_user_id} ${award.reached_at}`;
    const number = given.get(turn) ?? 0;
    given.set(turn, number + 1);
    const { id } = candidates[Math.min(number, candidates.length - 1)];
    found.set(id, [...(found.get(id) ?? []), { award, taskName: task?.name ?? award.task_id }]);
  }
  return found;
}

function isReachedBy(award: IssuedAward, task: AwardingTask | undefined, event: QueuedEvent): boolean {
  const sameUser = event.sub === award.platform_user_id;
  const sameSecond = event.created_at === Math.floor(Date.parse(award.reached_at) / 1000);
  return sameUser && sameSecond && (task === undefined || namesEvent(task.goal, event.name));
}

/** Whether a goal of any form counts events of that name. */
function namesEvent(goal: unknown, name: string): boolean {
  if (typeof goal !== 'object' || goal === null) return false;
  return Object.entries(goal).some(([key, value]) => (key === 'event' ? value === name : namesEvent(value, name)));
}
