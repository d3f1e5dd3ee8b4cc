import { Match, MatchResults, MatchTeam, PlayerMatch, RosterPlayer } from '@podium/messages';
import { matchPage, picture } from '../addresses';
import { iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { factionKey } from '../match-ids';
import { MatchCompetition, MatchPlan, resultsOf } from '../match-plan';
import { MatchSide } from '../match-sides';
import { matchStatsOf } from './match-statistics';
import { PlayerFacts } from '../players';
import { Source } from '../random';
import { lineUpSize } from '../teams';
import { World } from '../world';

/** Maximum of games per match. */
const mostGames = 4;

/** Matches; finished ones with their place in histories and their statistics. */
export function* matchDocuments({ options, matches }: World): Generator<WorldDocument> {
  const statistics = new Source(options.seed, 'match statistics');
  const instances = new Source(options.seed, 'match instance');
  for (let index = 0; index < options.matches; index++) {
    const plan = matches.planOf(index);
    const instanceIdOf = (game: number) => instances.uuid(index * mostGames + game);
    yield documentOf('match', plan.id, matchOf(plan, instanceIdOf), {});
    const { startedS, finishedS } = plan.times;
    const results = resultsOf(plan);
    if (startedS === undefined || finishedS === undefined || results === null) continue;
    yield documentOf('match-history', plan.id, historyOf(plan, { startedS, finishedS, results }), {});
    yield documentOf('match-stats', plan.id, matchStatsOf(plan, finishedS, statistics.random(index)), {
      finished_at: finishedS,
    });
  }
}

function matchOf(plan: MatchPlan, instanceIdOf: (game: number) => string): Match {
  const { id, competition, game, status, games, sides, times, bestOf } = plan;
  const [first, second] = sides;
  const ratings = [ratingOf(first), ratingOf(second)] as const;
  const chance = Math.min(95, Math.max(5, 50 + Math.round((ratings[0] - ratings[1]) / 12)));
  const results = resultsOf(plan);
  const demos = games.map((_, number) => picture('demos', `${id}-${number + 1}`, 'dem.zst'));
  const match: Match = {
    best_of: bestOf,
    calculate_elo: competition.type !== 'championship',
    chat_room_id: `match-${id}`,
    competition_id: competition.id,
    competition_name: competition.name,
    competition_type: competition.type,
    platform_url: matchPage(game.id, id),
    game: game.id,
    group: plan.group,
    instances: instancesOf(plan, demos, instanceIdOf),
    match_id: id,
    organizer_id: competition.organizerId,
    region: competition.region,
    round: plan.round,
    status,
    teams: {
      faction1: matchTeamOf(first, competition, ratings[0], chance),
      faction2: matchTeamOf(second, competition, ratings[1], 100 - chance),
    },
    version: 3 + plan.games.length,
  };
  if (times.scheduledS !== undefined) {
    match.scheduled_at = times.scheduledS;
    if (plan.isBroadcast) {
      match.broadcast_start_time = times.scheduledS;
      match.broadcast_start_time_label = `${iso(times.scheduledS).slice(0, 16).replace('T', ' ')} UTC`;
    }
  }
  if (times.configuredS !== undefined) {
    match.configured_at = times.configuredS;
    match.voting = votingOf(plan);
  }
  if (times.startedS !== undefined) match.started_at = times.startedS;
  if (times.finishedS !== undefined) match.finished_at = times.finishedS;
  if (results) {
    match.demo_url = demos;
    match.results = results;
    match.detailed_results = games.map(({ winner, scores: [left, right] }) => ({
      asc_score: false,
      factions: { faction1: { score: left }, faction2: { score: right } },
      winner: factionKey(winner),
    }));
  }
  return match;
}

/** A server for each game that was played, and for the current one. */
function instancesOf(
  { status, games }: MatchPlan,
  demos: readonly string[],
  idOf: (game: number) => string,
): Match['instances'] {
  if (status === 'ONGOING') return [{ demos: [], id: idOf(0), round: 1 }];
  return games.map((_, number) => ({ demos: [demos[number]], id: idOf(number), round: number + 1 }));
}

function ratingOf({ players }: MatchSide): number {
  return Math.round(players.reduce((sum, { rating }) => sum + rating.elo, 0) / players.length);
}

function votingOf({ competition, game, games, index }: MatchPlan): Match['voting'] {
  const maps = games.length > 0 ? games.map(({ map }) => map) : [game.maps[index % game.maps.length]];
  return {
    location: {
      entities: [{ name: competition.region, guid: competition.region.toLowerCase() }],
      pick: [competition.region],
    },
    map: { entities: maps.map((map) => ({ name: map, guid: map })), pick: maps },
    voted_entity_types: ['location', 'map'],
  };
}

function matchTeamOf(
  side: MatchSide,
  { isAnticheatRequired }: MatchCompetition,
  rating: number,
  winProbability: number,
): MatchTeam {
  const levels = side.players.map((player) => player.rating.level);
  return {
    avatar: side.avatar,
    faction_id: side.id,
    leader: side.players[0].id,
    name: side.name,
    roster: side.players.map((player) => rosterPlayer(player, isAnticheatRequired)),
    roster_v1: null,
    stats: {
      rating,
      skillLevel: {
        average: Math.round(levels.reduce((sum, level) => sum + level, 0) / levels.length),
        range: { max: Math.max(...levels), min: Math.min(...levels) },
      },
      winProbability,
    },
    substituted: false,
    substitutes: side.substitutes.map((player) => ({ ...rosterPlayer(player, isAnticheatRequired), playing: false })),
    type: side.type,
  };
}

function rosterPlayer(
  { id, nickname, avatar, membership, rating }: PlayerFacts,
  isAnticheatRequired: boolean,
): RosterPlayer {
  return {
    anticheat_required: isAnticheatRequired,
    avatar,
    game_player_id: rating.gamePlayerId,
    game_player_name: rating.gamePlayerName,
    game_skill_level: rating.level,
    membership,
    nickname,
    player_id: id,
  };
}

function historyOf(
  { id, competition, game, sides, status }: MatchPlan,
  { startedS, finishedS, results }: { startedS: number; finishedS: number; results: MatchResults },
): PlayerMatch {
  return {
    competition_id: competition.id,
    competition_name: competition.name,
    competition_type: competition.type,
    platform_url: matchPage(game.id, id),
    finished_at: finishedS,
    game_id: game.id,
    game_mode: '5v5',
    match_id: id,
    match_type: '5v5',
    max_players: 2 * lineUpSize,
    organizer_id: competition.organizerId,
    playing_players: sides.flatMap(({ players }) => players.map((player) => player.id)),
    region: competition.region,
    results,
    started_at: startedS,
    status: status.toLowerCase(),
    teams: { faction1: historyTeam(sides[0]), faction2: historyTeam(sides[1]) },
    teams_size: lineUpSize,
  };
}

function historyTeam({ id, name, avatar, type, players }: MatchSide): PlayerMatch['teams'][string] {
  return {
    avatar,
    nickname: name,
    players: players.map((player) => ({
      avatar: player.avatar,
      platform_url: player.page,
      game_player_id: player.rating.gamePlayerId,
      game_player_name: player.rating.gamePlayerName,
      nickname: player.nickname,
      player_id: player.id,
      skill_level: player.rating.level,
    })),
    team_id: id,
    type,
  };
}
