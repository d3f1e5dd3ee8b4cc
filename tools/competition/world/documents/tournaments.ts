import { CompetitionIndexFields, CompetitionDocument, recordKey, TournamentBrackets } from '@podium/messages';
import { matchPage, page, picture } from '../addresses';
import { hourS } from '../clock';
import { documentOf, WorldDocument } from './document';
import { gameRow } from '../games';
import { factionKey, SideIndex, tournamentMatchOf } from '../match-ids';
import { MatchPlan, resultsOf } from '../match-plan';
import { Random, Source } from '../random';
import { lineUpSize } from '../teams';
import { roundS, TournamentFacts } from '../tournaments';
import { World } from '../world';

type Bracket = TournamentBrackets['matches'][number];

const bestOf = 1;

/** All documents of tournaments: themselves, brackets, teams. */
export function* tournamentDocuments(world: World): Generator<WorldDocument> {
  const { options, tournaments } = world;
  const details = new Source(options.seed, 'tournament details');
  for (let index = 0; index < tournaments.count; index++) {
    const facts = tournaments.factsOf(index);
    const random = details.random(index);
    yield documentOf('tournament', facts.id, tournamentOf(facts, random), {});
    yield documentOf('tournament-brackets', facts.id, bracketsOf(facts, world), {});
    for (let place = 0; place < facts.teams; place++) yield teamOf(facts, place, world, random);
  }
}

function tournamentOf(facts: TournamentFacts, random: Random): CompetitionDocument<'tournament'> {
  const { id, index, name, game, region, organizer, status, startS, teams } = facts;
  const joined = teams * lineUpSize;
  const hasStarted = status === 'started' || status === 'finished';
  return {
    anticheat_required: facts.isAnticheatRequired,
    best_of: bestOf,
    calculate_elo: true,
    competition_id: id,
    cover_image: picture('tournaments/covers', id),
    custom: random.chance(15),
    description: `${name}: ${teams} teams of ${region}, single elimination, ${gameRow(game).longLabel}.`,
    platform_url: page('tournament', id),
    featured_image: picture('tournaments', id),
    game_id: game,
    invite_type: random.pick(['open', 'invite']),
    match_type: '5v5',
    max_skill: 10,
    membership_type: random.chance(20) ? 'premium' : 'free',
    min_skill: 1,
    name,
    number_of_players: joined,
    number_of_players_checkedin: hasStarted ? joined : 0,
    number_of_players_joined: joined,
    number_of_players_participants: hasStarted ? joined : 0,
    organizer_id: organizer.id,
    prize_type: 'points',
    region,
    rounds: roundsOf(facts),
    rule: 'Single elimination. Teams check in during the hour before the start.',
    started_at: startS,
    status,
    subscriptions_count: teams,
    substitutes_allowed: 2,
    substitutions_allowed: 1,
    team_size: lineUpSize,
    total_prize: String(random.pick([500, 1000, 2500, 10_000])),
    tournament_id: id,
    ...(hasStarted && { voting: { voted_entity_types: ['location', 'map'] } }),
    whitelist_countries: index === 1 || random.chance(10) ? ['fr', 'be', 'ch'] : [],
  };
}

function roundsOf({ rounds, teams, startS }: TournamentFacts): TournamentBrackets['rounds'] {
  const labels = ['Final', 'Semi-finals', 'Quarter-finals'];
  return Array.from({ length: rounds }, (_, place) => ({
    best_of: bestOf,
    label: labels[rounds - 1 - place],
    matches: teams / 2 ** (place + 1),
    round: place + 1,
    start_time: startS + place * roundS,
    starts_asap: place > 0,
    substitution_time: 600,
    substitutions_allowed: place > 0,
  }));
}

function bracketsOf(
  facts: TournamentFacts,
  { tournaments, matches }: World,
): CompetitionDocument<'tournament-brackets'> {
  const { index, game, name, status } = facts;
  return {
    game,
    matches: Array.from({ length: facts.matches }, (_, place): Bracket => {
      const plan = matches.planOf(tournamentMatchOf(index, place));
      const { round, position } = tournaments.placeOf(facts, place);
      const results = resultsOf(plan);
      return {
        platform_url: matchPage(game, plan.id),
        match_id: plan.id,
        position: position + 1,
        ...(results && { results }),
        round,
        state: plan.status,
        teams: Object.fromEntries(([0, 1] as const).map((side) => [factionKey(side), bracketTeam(plan, side)])),
      };
    }),
    name,
    rounds: roundsOf(facts),
    status,
  };
}

function bracketTeam({ sides }: MatchPlan, side: SideIndex): Bracket['teams'][string] {
  const { id, name, avatar } = sides[side];
  return { avatar, nickname: name, team_id: id };
}

function teamOf(
  { id, status, startS, teamAt }: TournamentFacts,
  place: number,
  { teams, players, options }: World,
  random: Random,
): WorldDocument {
  const team = teams.factsOf(teamAt(place));
  return documentOf(
    'tournament-team',
    recordKey(id, team.id),
    {
      nickname: team.name,
      skill_level: players.factsOf(team.players[0]).rating.level,
      subs_done: status === 'finished' ? random.below(2) : 0,
      team_id: team.id,
      team_leader: players.idOf(team.players[0]),
      team_type: 'premade',
    },
    {
      tournament_id: id,
      lists: listsOf(status),
      player_ids: team.players.map((player) => players.idOf(player)),
      joined_at: Math.min(startS, options.nowS) - random.between(2, 200) * hourS,
    },
  );
}

/** A team's status: no team checks in before the last hour. */
function listsOf(status: TournamentFacts['status']): CompetitionIndexFields<'tournament-team'>['lists'] {
  switch (status) {
    case 'finished':
      return ['joined', 'checked_in', 'started', 'finished'];
    case 'started':
      return ['joined', 'checked_in', 'started'];
    default:
      return ['joined'];
  }
}
