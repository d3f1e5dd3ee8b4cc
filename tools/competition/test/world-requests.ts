import { CompetitionKind } from '@podium/messages';
import type { ReadRow } from '../../../apps/competition-read/test/read-table';
import { WorldDocuments } from './world-documents';

/** Maximum of addresses per operation, evenly sampled: many documents are similar. */
const mostAddresses = 40;

/** Addresses, below `/data/v4`, at which an operation returns data of a world; lists in pages of the largest size. */
export function worldRequests({ id, path, query }: ReadRow, world: WorldDocuments): string[] {
  const all = argumentsOf(id, world);
  const given = all.filter((_, place) => place % Math.ceil(all.length / mostAddresses) === 0);
  const pageSize = query.limit?.schema.maximum;
  return given.map((args) => {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args[name]));
    const asked = Object.entries(args).filter(([name]) => name in query);
    if (pageSize !== undefined) asked.push(['limit', String(pageSize)]);
    if ('expanded' in query) asked.push(['expanded', 'organizer,game']);
    return asked.length === 0 ? address : `${address}?${new URLSearchParams(asked).toString()}`;
  });
}

type Args = Readonly<Record<string, string>>;

function argumentsOf(operation: string, world: WorldDocuments): readonly Args[] {
  const games = idsOf(world, 'game', 'game_id');
  const championships = idsOf(world, 'championship', 'championship_id');
  const hubs = idsOf(world, 'hub', 'hub_id');
  const organizers = idsOf(world, 'organizer', 'organizer_id');
  const teams = idsOf(world, 'team', 'team_id');
  const tournaments = idsOf(world, 'tournament', 'tournament_id');
  const leaderboards = idsOf(world, 'leaderboard', 'leaderboard_id');
  const players = idsOf(world, 'player', 'player_id');
  switch (operation) {
    case 'getChampionships':
      return games.map(({ game_id }) => ({ game: game_id }));
    case 'getChampionship':
    case 'getChampionshipMatches':
    case 'getChampionshipResults':
    case 'getChampionshipSubscriptions':
    case 'getChampionshipLeaderboards':
      return championships;
    case 'getAllGames':
    case 'getTournamentsList':
      return [{}];
    case 'getGame':
    case 'getGameMatchmakings':
      return games;
    case 'getParentGame':
      return world
        .all('game')
        .filter(({ document }) => document.parent_game_id !== '')
        .map(({ id }) => ({ game_id: id }));
    case 'getQueuesByEntityFilters':
      return world.all('queue').map(({ document: { game, entityType, entityId } }) => ({
        ...{ game_id: game, entity_type: entityType, entity_id: entityId },
      }));
    case 'getQueueById':
    case 'getQueueBans':
      return world.all('queue').map(({ id, document: { game } }) => ({ game_id: game, queue_id: id }));
    case 'getQueuesByRegion':
      return world
        .all('game')
        .flatMap(({ id, document }) => document.regions.map((region) => ({ game_id: id, region_id: region })));
    case 'getHub':
    case 'getHubMatches':
    case 'getHubMembers':
    case 'getHubRoles':
    case 'getHubStats':
    case 'getHubLeaderboards':
    case 'getHubRanking':
      return hubs;
    case 'getChampionshipGroupRanking':
      return boardsOf(world, 'championship').map(({ competition_id, group }) => ({
        ...{ championship_id: competition_id, group: String(group) },
      }));
    case 'getHubSeasonRanking':
      return boardsOf(world, 'hub_season').map(({ competition_id, season }) => ({
        ...{ hub_id: competition_id, season: String(season) },
      }));
    case 'getLeaderboard':
      return leaderboards;
    case 'getPlayerRankingInLeaderboard':
      return world.all('leaderboard-entry').map(({ document, beside }) => ({
        ...{ leaderboard_id: beside.leaderboard_id, player_id: document.player.user_id },
      }));
    case 'getLeagueById':
      return idsOf(world, 'league', 'league_id');
    case 'getLeagueSeason':
      return world.all('league-season').map(({ document, beside }) => ({
        ...{ league_id: beside.league_id, season_id: String(document.season.number) },
      }));
    case 'getPlayerForLeagueSeason':
      return world.all('league-player').map(({ beside: { league_id, season_id, player_id } }) => ({
        ...{ league_id, season_id: String(season_id), player_id },
      }));
    case 'getMatch':
      return idsOf(world, 'match', 'match_id');
    case 'getMatchStats':
      return idsOf(world, 'match-stats', 'match_id');
    case 'getMatchmaking':
      return idsOf(world, 'matchmaking', 'matchmaking_id');
    case 'getOrganizerByName':
    case 'searchOrganizers':
      return namesOf(world, 'organizer');
    case 'getOrganizer':
    case 'getOrganizerGames':
    case 'getOrganizerHubs':
      return organizers;
    case 'getOrganizerChampionships':
      return organizers.map((args) => ({ ...args, publishedOnly: 'false' }));
    case 'getOrganizerTournaments':
      return organizers.flatMap((args) => ['past', 'upcoming'].map((type) => ({ ...args, type })));
    case 'getPlayerFromLookup':
    case 'searchPlayers':
      return world.all('player').map(({ document }) => ({ nickname: document.nickname }));
    case 'getPlayer':
    case 'getPlayerBans':
    case 'getPlayerHubs':
    case 'getPlayerTeams':
    case 'getPlayerTournaments':
      return players;
    case 'getPlayerMatchesStats':
      return players.flatMap((args) => games.map(({ game_id }) => ({ ...args, game_id })));
    case 'getPlayerHistory':
      return players.flatMap((args) => games.map(({ game_id }) => ({ ...args, game: game_id, from: '1000000000' })));
    case 'getPlayerStats':
      return world.all('player-stats').map(({ document: { player_id, game_id } }) => ({ player_id, game_id }));
    case 'getGlobalRanking':
      return [...new Set(ranks(world).map(([game, region]) => `${game}/${region}`))].map((pool) => {
        const [game_id, region] = pool.split('/');
        return { game_id, region };
      });
    case 'getPlayerRanking':
      return ranks(world).map(([game_id, region, player_id]) => ({ game_id, region, player_id }));
    case 'searchChampionships':
      return namesOf(world, 'championship');
    case 'searchClans':
      return namesOf(world, 'clan');
    case 'searchHubs':
      return namesOf(world, 'hub');
    case 'searchTeams':
      return world.all('team').map(({ document }) => ({ nickname: document.name }));
    case 'searchTournaments':
      return namesOf(world, 'tournament');
    case 'getTeam':
    case 'getTeamTournaments':
      return teams;
    case 'getTeamStats':
      return world.all('team-stats').map(({ document: { team_id, game_id } }) => ({ team_id, game_id }));
    case 'getTournament':
    case 'getTournamentBrackets':
    case 'getTournamentMatches':
    case 'getTournamentTeams':
      return tournaments;
    default:
      throw new Error(`no requests for ${operation}`);
  }
}

function idsOf(world: WorldDocuments, kind: CompetitionKind, name: string): Args[] {
  return world.all(kind).map(({ id }) => ({ [name]: id }));
}

function namesOf(world: WorldDocuments, kind: 'championship' | 'hub' | 'tournament' | 'organizer' | 'clan'): Args[] {
  return world.all(kind).map(({ document }) => ({ name: document.name }));
}

function boardsOf(world: WorldDocuments, type: string) {
  return world.all('leaderboard').flatMap(({ document }) => (document.leaderboard_type === type ? [document] : []));
}

function ranks(world: WorldDocuments): (readonly [game: string, region: string, player: string])[] {
  return world
    .all('player')
    .flatMap(({ id, document }) =>
      Object.entries(document.games).map(([game, { region }]) => [game, region, id] as const),
    );
}
