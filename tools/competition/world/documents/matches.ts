import { Match, MatchTeam, PlayerMatch, RosterPlayer } from '@podium/messages';
import { matchPage, picture } from '../addresses';
import { documentOf, WorldDocument } from './document';
import { factionKey } from '../match-ids';
import { MatchPlan, resultsOf } from '../match-plan';
import { MatchSide } from '../match-sides';
import { matchStatsOf } from './match-statistics';
import { PlayerFacts } from '../players';
import { Source } from '../random';
import { lineUpSize } from '../teams';
import { World } from '../world';

/** Matches; those that were played with their place in histories, and finished ones with their statistics. */
export function* matchDocuments({ options, matches }: World): Generator<WorldDocument> {
  const statistics = new Source(options.seed, 'match statistics');
  for (let index = 0; index < options.matches; index++) {
    const plan = matches.planOf(index);
    yield documentOf('match', plan.id, matchOf(plan), {});
    const { startedS, finishedS } = plan.times;
    // A match under way stands in histories at its start.
    if (startedS !== undefined)
      yield documentOf('match-history', plan.id, historyOf(plan, startedS, finishedS ?? startedS), {});
    if (finishedS !== undefined)
      yield documentOf('match-stats', plan.id, matchStatsOf(plan, statistics.random(index)), {
        finished_at: finishedS,
      });
  }
}

function matchOf(plan: MatchPlan): Match {
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
    instances: games.map((_, number) => ({ demos: [demos[number]], id: `${id}-${number + 1}`, round: number + 1 })),
    match_id: id,
    organizer_id: competition.organizerId,
    region: competition.region,
    round: plan.round,
    status,
    teams: {
      faction1: matchTeamOf(first, ratings[0], chance),
      faction2: matchTeamOf(second, ratings[1], 100 - chance),
    },
    version: 3 + plan.games.length,
  };
  if (times.scheduledS !== undefined) match.scheduled_at = times.scheduledS;
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

function matchTeamOf(side: MatchSide, rating: number, winProbability: number): MatchTeam {
  const levels = side.players.map((player) => player.rating.level);
  return {
    avatar: side.avatar,
    faction_id: side.id,
    leader: side.players[0].id,
    name: side.name,
    roster: side.players.map(rosterPlayer),
    stats: {
      rating,
      skillLevel: {
        average: Math.round(levels.reduce((sum, level) => sum + level, 0) / levels.length),
        range: { max: Math.max(...levels), min: Math.min(...levels) },
      },
      winProbability,
    },
    substituted: false,
    substitutes: side.substitutes.map((player) => ({ ...rosterPlayer(player), playing: false })),
    type: side.type,
  };
}

function rosterPlayer({ id, nickname, avatar, membership, rating }: PlayerFacts): RosterPlayer {
  return {
    anticheat_required: true,
    avatar,
    game_player_id: rating.gamePlayerId,
    game_player_name: rating.gamePlayerName,
    game_skill_level: rating.level,
    membership,
    nickname,
    player_id: id,
  };
}

function historyOf(plan: MatchPlan, startedS: number, finishedS: number): PlayerMatch {
  const { id, competition, game, sides } = plan;
  const results = resultsOf(plan);
  const history: PlayerMatch = {
    competition_id: competition.id,
    competition_name: competition.name,
    competition_type: competition.type,
    platform_url: matchPage(game.id, id),
    finished_at: finishedS,
    game_id: game.id,
    game_mode: '5v5',
    match_id: id,
    match_type: '',
    max_players: 2 * lineUpSize,
    organizer_id: competition.organizerId,
    playing_players: sides.flatMap(({ players }) => players.map((player) => player.id)),
    region: competition.region,
    started_at: startedS,
    status: plan.status.toLowerCase(),
    teams: { faction1: historyTeam(sides[0]), faction2: historyTeam(sides[1]) },
    teams_size: lineUpSize,
  };
  return results ? { ...history, results } : history;
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
