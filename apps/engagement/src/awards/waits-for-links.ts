import { Owed } from '../evaluation/owed';
import { TaskFinding } from './task-finding';

/** Whether time decides at an instant of which links are not known yet: the account may be another one by then. */
export function waitsForLinks(
  { linksPassedS = Infinity }: Pick<TaskFinding, 'linksPassedS'>,
  { decidedBy, reachedAt }: Owed,
): boolean {
  return decidedBy === null && reachedAt > linksPassedS;
}
