import { recordKey, Team, TeamMember } from '@podium/messages';
import { page, picture } from '../addresses';
import { GameId, gameRow } from '../games';
import { memberOf } from '../members';
import { Random, Source } from '../random';
import { teamStatistics } from '../statistics';
import { TeamFacts } from '../teams';
import { World } from '../world';
import { documentOf, WorldDocument } from './document';

/** Teams, each with its statistics. */
export function* teamDocuments(world: World): Generator<WorldDocument> {
  const statistics = new Source(world.options.seed, 'team statistics');
  for (let index = 0; index < world.teams.count; index++) {
    const facts = world.teams.factsOf(index);
    const random = statistics.random(index);
    yield documentOf('team', facts.id, teamOf(facts, world), { verified: random.chance(8) });
    yield statsOf(facts, random);
  }
}

/** A team's own document, as subscriptions embed it. */
export function teamOf(facts: TeamFacts, world: World): Team {
  const { id, name, nickname, avatar, game } = facts;
  const team = {
    chat_room_id: `team-${id}`,
    description: `${name} play ${gameRow(game).longLabel}.`,
    platform_url: page('teams', id),
    game,
    leader: world.players.idOf(facts.players[0]),
    members: facts.players.map((player) => teamMember(player, game, world)),
    name,
    nickname,
    team_id: id,
    team_type: 'premade',
  };
  if (avatar === '') return team;
  // A team with an avatar has pages on other sites too.
  const handle = nickname.toLowerCase();
  const pages = {
    facebook: `https://facebook.example/${handle}`,
    twitter: `https://twitter.example/${handle}`,
    website: `https://${handle}.example`,
    youtube: `https://youtube.example/${handle}`,
  };
  return { avatar, cover_image: picture('teams/covers', id), ...team, ...(facts.index % 4 === 0 && pages) };
}

function teamMember(player: number, game: GameId, { players, population }: World): TeamMember {
  const facts = players.factsOf(player);
  const isMain = game === population.poolOfPlayer(player).game;
  const rating = isMain ? facts.rating : (players.secondRatingOf(facts) ?? facts.rating);
  return memberOf(facts, rating.level);
}

function statsOf({ id, game }: TeamFacts, random: Random): WorldDocument {
  return documentOf(
    'team-stats',
    recordKey(id, game),
    {
      ...{ game_id: game, team_id: id },
      ...teamStatistics(gameRow(game), random),
    },
    {},
  );
}
