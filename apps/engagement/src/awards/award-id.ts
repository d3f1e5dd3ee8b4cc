import { identityDigest } from '@podium/messages';

/**
 * The id of an award: the hex digest of task, user and occurrence. The same occurrence always has the same id, so that a replay
 * or a retry never issues a second award.
 */
export function awardIdOf(award: {
  readonly taskId: string;
  readonly userId: string;
  readonly occurrence: string;
}): string {
  return identityDigest(award.taskId, award.userId, award.occurrence).toString('hex');
}
