import { BonusAwardIssuedData } from '@podium/messages';

/**
 * Awards as columns of a statement: award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
 * platform_user_id, reward, reached_at.
 */
export function awardColumns(awards: readonly BonusAwardIssuedData[]): unknown[][] {
  const column = <T>(read: (award: BonusAwardIssuedData) => T): T[] => awards.map(read);
  return [
    column((award) => award.award_id),
    column((award) => award.task_id),
    column((award) => award.task_version),
    column((award) => award.occurrence),
    column((award) => award.platform),
    column((award) => award.organizer_id),
    column((award) => award.user_id),
    column((award) => award.platform_user_id),
    column((award) => JSON.stringify(award.reward)),
    column((award) => award.reached_at),
  ];
}
