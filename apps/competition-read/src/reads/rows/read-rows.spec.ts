import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { readRows } from './read-rows';

/** The operations with their paths, as they are decided. */
const decided: readonly [string, string][] = [
  ['getChampionships', '/championships'],
  ['getChampionship', '/championships/{championship_id}'],
  ['getChampionshipMatches', '/championships/{championship_id}/matches'],
  ['getChampionshipResults', '/championships/{championship_id}/results'],
  ['getChampionshipSubscriptions', '/championships/{championship_id}/subscriptions'],
  ['getAllGames', '/games'],
  ['getGameMatchmakings', '/games/{game_id}/matchmakings'],
  ['getGame', '/games/{game_id}'],
  ['getParentGame', '/games/{game_id}/parent'],
  ['getQueuesByEntityFilters', '/games/{game_id}/queues'],
  ['getQueueById', '/games/{game_id}/queues/{queue_id}'],
  ['getQueueBans', '/games/{game_id}/queues/{queue_id}/bans'],
  ['getQueuesByRegion', '/games/{game_id}/regions/{region_id}/queues'],
  ['getHub', '/hubs/{hub_id}'],
  ['getHubMatches', '/hubs/{hub_id}/matches'],
  ['getHubMembers', '/hubs/{hub_id}/members'],
  ['getHubRoles', '/hubs/{hub_id}/roles'],
  ['getHubStats', '/hubs/{hub_id}/stats'],
  ['getHubRules', '/hubs/{hub_id}/rules'],
  ['getChampionshipLeaderboards', '/leaderboards/championships/{championship_id}'],
  ['getChampionshipGroupRanking', '/leaderboards/championships/{championship_id}/groups/{group}'],
  ['getHubLeaderboards', '/leaderboards/hubs/{hub_id}'],
  ['getHubRanking', '/leaderboards/hubs/{hub_id}/general'],
  ['getHubSeasonRanking', '/leaderboards/hubs/{hub_id}/seasons/{season}'],
  ['getLeaderboard', '/leaderboards/{leaderboard_id}'],
  ['getPlayerRankingInLeaderboard', '/leaderboards/{leaderboard_id}/players/{player_id}'],
  ['getLeagueById', '/leagues/{league_id}'],
  ['getLeagueSeason', '/leagues/{league_id}/seasons/{season_id}'],
  ['getPlayerForLeagueSeason', '/leagues/{league_id}/seasons/{season_id}/players/{player_id}'],
  ['getMatch', '/matches/{match_id}'],
  ['getMatchStats', '/matches/{match_id}/stats'],
  ['getMatchmaking', '/matchmakings/{matchmaking_id}'],
  ['getOrganizerByName', '/organizers'],
  ['getOrganizer', '/organizers/{organizer_id}'],
  ['getOrganizerChampionships', '/organizers/{organizer_id}/championships'],
  ['getOrganizerGames', '/organizers/{organizer_id}/games'],
  ['getOrganizerHubs', '/organizers/{organizer_id}/hubs'],
  ['getOrganizerTournaments', '/organizers/{organizer_id}/tournaments'],
  ['getPlayerFromLookup', '/players'],
  ['getPlayer', '/players/{player_id}'],
  ['getPlayerBans', '/players/{player_id}/bans'],
  ['getPlayerMatchesStats', '/players/{player_id}/games/{game_id}/stats'],
  ['getPlayerHistory', '/players/{player_id}/history'],
  ['getPlayerHubs', '/players/{player_id}/hubs'],
  ['getPlayerStats', '/players/{player_id}/stats/{game_id}'],
  ['getPlayerTeams', '/players/{player_id}/teams'],
  ['getPlayerTournaments', '/players/{player_id}/tournaments'],
  ['getGlobalRanking', '/rankings/games/{game_id}/regions/{region}'],
  ['getPlayerRanking', '/rankings/games/{game_id}/regions/{region}/players/{player_id}'],
  ['searchChampionships', '/search/championships'],
  ['searchClans', '/search/clans'],
  ['searchHubs', '/search/hubs'],
  ['searchOrganizers', '/search/organizers'],
  ['searchPlayers', '/search/players'],
  ['searchTeams', '/search/teams'],
  ['searchTournaments', '/search/tournaments'],
  ['getTeam', '/teams/{team_id}'],
  ['getTeamStats', '/teams/{team_id}/stats/{game_id}'],
  ['getTeamTournaments', '/teams/{team_id}/tournaments'],
  ['getTournamentsList', '/tournaments'],
  ['getTournament', '/tournaments/{tournament_id}'],
  ['getTournamentBrackets', '/tournaments/{tournament_id}/brackets'],
  ['getTournamentMatches', '/tournaments/{tournament_id}/matches'],
  ['getTournamentTeams', '/tournaments/{tournament_id}/teams'],
];

/** Most items, default, largest offset where one is stated; operations that are not here take 100, 20, none. */
const bounds: Readonly<Record<string, [number, number, number?]>> = {
  getChampionships: [10, 10],
  getChampionshipSubscriptions: [10, 10],
  getQueuesByEntityFilters: [20, 20],
  getQueuesByRegion: [20, 20],
  getHubMembers: [50, 50, 1000],
  getHubRoles: [50, 50, 1000],
  getOrganizerHubs: [50, 50, 1000],
  getPlayerHubs: [50, 50, 1000],
  getPlayerMatchesStats: [100, 20, 200],
  getPlayerHistory: [100, 20, 1000],
};

describe('the table of reads', () => {
  it('has every operation under its path, once', () => {
    const byId = (a: readonly string[], b: readonly string[]) => (a[0] < b[0] ? -1 : 1);
    expect(readRows.map(({ id, path }) => [id, path]).sort(byId)).toEqual([...decided].sort(byId));
  });

  it('has as many operations as the README says: those of the specification, and the rules of a hub', () => {
    const readme = readFileSync(resolve(__dirname, '../../../../../README.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const specified = readRows.filter(({ id }) => id !== 'getHubRules').length;
    expect(readme).toContain(
      `${readRows.length} operations (the ${specified} of the specification, and the rules of a hub)`,
    );
  });

  it.each(readRows.map((row) => [row.id, row] as const))('%s declares what its path and its reply have', (_, row) => {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(row.params).sort()).toEqual(names.sort());
    expect(Object.keys(row.query).filter((name) => name in row.params)).toEqual([]);
    expect(row.cacheS).toBeGreaterThan(0);
    expect(Value.Check(row.reply.schema, 'no object')).toBe(false);
    for (const { required, schema, fallback } of Object.values(row.query))
      expect(schema.default).toBe(required || typeof fallback === 'object' ? undefined : fallback);
  });

  it('bounds pages as it is decided', () => {
    const shown = readRows.flatMap(({ id, query: { limit, offset } }) =>
      limit ? [[id, [limit.schema.maximum, limit.schema.default, offset?.schema.maximum]]] : [],
    );
    const expected = readRows.flatMap(({ id, query }) => {
      const [max, fallback, maxOffset = 2 ** 31 - 1] = bounds[id] ?? [100, 20];
      return query.limit ? [[id, [max, fallback, id === 'getPlayerRanking' ? undefined : maxOffset]]] : [];
    });
    expect(shown).toEqual(expected);
    expect(shown).toHaveLength(41);
  });

  it('asks a queue key for queues and data:read for all else', () => {
    const scopes = Object.fromEntries(
      readRows.flatMap(({ id, scope }) => (scope === 'data:read' ? [] : [[id, scope] as const])),
    );
    expect(scopes).toEqual({
      getQueuesByEntityFilters: 'queues:developer or organizer',
      getQueueById: 'queues:developer or organizer',
      getQueueBans: 'queues:developer or organizer',
      getQueuesByRegion: 'queues:developer',
    });
  });

  it('marks the tournaments of the first version, and nothing else', () => {
    expect(readRows.flatMap(({ id, deprecatedSince }) => (deprecatedSince ? [id] : []))).toEqual([
      'getTournamentsList',
    ]);
  });
});
