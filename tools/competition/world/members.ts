import { TeamMember } from '@podium/messages';
import { PlayerFacts } from './players';

/** A player as a member of a team or a holder of a rank, at a level of the game in question. */
export function memberOf(facts: PlayerFacts, level: number): TeamMember {
  const member = {
    country: facts.country,
    platform_url: facts.page,
    membership_type: facts.membership,
    memberships: [facts.membership],
    nickname: facts.nickname,
    skill_level: level,
    user_id: facts.id,
  };
  return facts.avatar === '' ? member : { avatar: facts.avatar, ...member };
}
