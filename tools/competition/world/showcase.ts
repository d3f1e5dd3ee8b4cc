import { clanIdOf, showcaseClanName } from './documents/clans';
import { seasons } from './leagues';
import { fewestMatches, fewestPlayers } from './options';
import { mainPool } from './population';
import { createWorld } from './world';

/** Ids and names of one instance of each noun; they have data for every read, in worlds of every size. */
export interface Showcase {
  readonly gameId: string;
  readonly region: string;
  /** A regional edition; its parent is `gameId`. */
  readonly childGameId: string;
  /** Has championships (unpublished ones too), games, hubs, tournaments of both types and the showcase queue. */
  readonly organizer: { readonly id: string; readonly name: string };
  /** In progress, with groups, results, subscriptions, leaderboards and matches in every state. */
  readonly championship: { readonly id: string; readonly name: string; readonly group: number };
  /** The largest, with members, roles, rules, statistics, leaderboards and matches in every state. */
  readonly hub: { readonly id: string; readonly name: string; readonly season: number };
  /** The hub's general leaderboard; the player is in it. */
  readonly leaderboardId: string;
  /** The player is in both seasons. */
  readonly league: { readonly id: string; readonly season: number };
  /** Finished, with statistics; the player played. */
  readonly matchId: string;
  /** Has a league and queues. */
  readonly matchmakingId: string;
  /** Of `gameId`, `region`, the matchmaking and the organizer; has bans. */
  readonly queueId: string;
  /** Finished, with brackets, matches and teams in all four lists. */
  readonly tournament: { readonly id: string; readonly name: string };
  /** Has bans, a history in the last month, statistics, teams, hubs, tournaments and ranks. */
  readonly player: {
    readonly id: string;
    readonly nickname: string;
    readonly gamePlayerId: string;
    /** Lower case. */
    readonly country: string;
  };
  /** The player's team; in tournaments and the championship. */
  readonly team: { readonly id: string; readonly name: string };
  readonly clan: { readonly id: string; readonly name: string };
}

/** The showcase of the worlds of a seed; nothing is generated for it. */
export function showcaseOf(seed: number): Showcase {
  const world = createWorld({ seed, players: fewestPlayers, matches: fewestMatches, nowS: 0 });
  const { players, teams, organizers, leagues, hubs, championships, matchmakings, tournaments, matches } = world;
  const player = players.factsOf(0);
  const team = teams.factsOf(0);
  const hub = hubs.factsOf(0);
  const organizer = organizers.factsOf(0);
  return {
    gameId: mainPool.game,
    region: mainPool.region,
    childGameId: 'cs2_sea',
    organizer: { id: organizer.id, name: organizer.name },
    championship: { id: championships.idOf(0), name: championships.factsOf(0).name, group: 1 },
    hub: { id: hub.id, name: hub.name, season: hub.seasons },
    leaderboardId: hubs.leaderboardIdOf(0, 0),
    league: { id: leagues.idOf(0), season: seasons },
    matchId: matches.idOf(0),
    matchmakingId: matchmakings.idOf(0),
    queueId: matchmakings.queueIdOf(0),
    tournament: { id: tournaments.idOf(0), name: tournaments.factsOf(0).name },
    player: {
      id: player.id,
      nickname: player.nickname,
      gamePlayerId: player.rating.gamePlayerId,
      country: player.country,
    },
    team: { id: team.id, name: team.name },
    clan: { id: clanIdOf(seed, 0), name: showcaseClanName },
  };
}
