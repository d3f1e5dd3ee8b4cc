import type { Showcase } from '../../tools/competition/world/showcase';

/** Arguments of one operation by name. */
export type Args = Readonly<Record<string, string>>;

/** Arguments of an operation that exist in the showcase: those of its path and the required ones of its query. */
export function sampleArgs(id: string, showcase: Showcase): Args {
  const { gameId, region, player, championship, hub, organizer, league, tournament, team } = showcase;
  const common: Args = {
    game_id: gameId,
    region,
    region_id: region,
    championship_id: championship.id,
    group: `${championship.group}`,
    hub_id: hub.id,
    season: `${hub.season}`,
    season_id: `${league.season}`,
    leaderboard_id: showcase.leaderboardId,
    league_id: league.id,
    match_id: showcase.matchId,
    matchmaking_id: showcase.matchmakingId,
    organizer_id: organizer.id,
    player_id: player.id,
    queue_id: showcase.queueId,
    team_id: team.id,
    tournament_id: tournament.id,
  };
  return { ...common, ...queries(id, showcase) };
}

function queries(id: string, showcase: Showcase): Args {
  const { gameId, player, championship, hub, organizer, tournament, team, clan } = showcase;
  switch (id) {
    case 'getParentGame':
      return { game_id: showcase.childGameId };
    case 'getChampionships':
      return { game: gameId };
    case 'getQueuesByEntityFilters':
      return { entity_type: 'matchmaking', entity_id: showcase.matchmakingId };
    case 'getOrganizerByName':
      return { name: organizer.name };
    case 'getPlayerFromLookup':
      return { nickname: player.nickname };
    case 'getPlayerHistory':
      return { game: gameId };
    case 'searchChampionships':
      return { name: championship.name };
    case 'searchHubs':
      return { name: hub.name };
    case 'searchTournaments':
      return { name: tournament.name };
    case 'searchClans':
      return { name: clan.name };
    case 'searchOrganizers':
      return { name: organizer.name };
    case 'searchPlayers':
      return { nickname: player.nickname };
    case 'searchTeams':
      return { nickname: team.name };
    default:
      return {};
  }
}
