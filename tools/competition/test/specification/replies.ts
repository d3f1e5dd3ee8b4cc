import {
  Championship,
  ChampionshipResult,
  Game,
  Hub,
  HubMember,
  HubRole,
  Organizer,
  Subscription,
  Team,
} from './competitions';
import { Match, PlayerMatch } from './matches';
import { Matchmaking, MatchmakingListItem, QueueBan, QueueDetails, QueueSummary } from './matchmakings';
import { Player, PlayerBan } from './players';
import { GlobalRankingItem, Leaderboard, League, LeaguePlayer, LeagueSeason, RankingEntry } from './rankings';
import {
  ClanSearchItem,
  CompetitionSearchItem,
  OrganizerSearchItem,
  PlayerSearchItem,
  TeamSearchItem,
} from './searches';
import { Fields, Shape, list, object } from './shape';
import { HubStats, MatchStats, PlayerMatchStats, PlayerStats, TeamStats } from './statistics';
import { TournamentBrackets, TournamentDetails, TournamentSummary, TournamentTeams } from './tournaments';

const ranking = page(RankingEntry, { leaderboard: Leaderboard });

/** "Endpoints" of the specification: the reply of each operation. The rules of a hub are not specified. */
export const specifiedReplies: Readonly<Record<string, Shape>> = {
  getChampionships: page(Championship),
  getChampionship: Championship,
  getChampionshipMatches: page(Match),
  getChampionshipResults: page(ChampionshipResult),
  getChampionshipSubscriptions: page(Subscription),
  getAllGames: page(Game),
  getGameMatchmakings: page(MatchmakingListItem),
  getGame: Game,
  getParentGame: Game,
  getQueuesByEntityFilters: page(QueueSummary),
  getQueueById: QueueDetails,
  getQueueBans: page(QueueBan),
  getQueuesByRegion: page(QueueSummary),
  getHub: Hub,
  getHubMatches: page(Match),
  getHubMembers: page(HubMember),
  getHubRoles: page(HubRole),
  getHubStats: HubStats,
  getChampionshipLeaderboards: page(Leaderboard),
  getChampionshipGroupRanking: ranking,
  getHubLeaderboards: page(Leaderboard),
  getHubRanking: ranking,
  getHubSeasonRanking: ranking,
  getLeaderboard: ranking,
  getPlayerRankingInLeaderboard: RankingEntry,
  getLeagueById: League,
  getLeagueSeason: LeagueSeason,
  getPlayerForLeagueSeason: LeaguePlayer,
  getMatch: Match,
  getMatchStats: MatchStats,
  getMatchmaking: Matchmaking,
  getOrganizerByName: Organizer,
  getOrganizer: Organizer,
  getOrganizerChampionships: page(Championship),
  getOrganizerGames: page(Game),
  getOrganizerHubs: page(Hub),
  getOrganizerTournaments: page(TournamentSummary),
  getPlayerFromLookup: Player,
  getPlayer: Player,
  getPlayerBans: page(PlayerBan),
  getPlayerMatchesStats: page(PlayerMatchStats),
  getPlayerHistory: page(PlayerMatch, { from: 'seconds', to: 'seconds' }),
  getPlayerHubs: page(Hub),
  getPlayerStats: PlayerStats,
  getPlayerTeams: page(Team),
  getPlayerTournaments: page(TournamentSummary),
  getGlobalRanking: page(GlobalRankingItem),
  getPlayerRanking: page(GlobalRankingItem, { position: 'integer' }),
  searchChampionships: page(CompetitionSearchItem),
  searchClans: page(ClanSearchItem),
  searchHubs: page(CompetitionSearchItem),
  searchOrganizers: page(OrganizerSearchItem),
  searchPlayers: page(PlayerSearchItem),
  searchTeams: page(TeamSearchItem),
  searchTournaments: page(CompetitionSearchItem),
  getTeam: Team,
  getTeamStats: TeamStats,
  getTeamTournaments: page(TournamentSummary),
  getTournamentsList: page(TournamentSummary),
  getTournament: TournamentDetails,
  getTournamentBrackets: TournamentBrackets,
  getTournamentMatches: page(Match),
  getTournamentTeams: TournamentTeams,
};

/** The page envelope, with the fields that an operation adds next to the items. */
function page(item: Shape, added: Fields = {}): Shape {
  return object({ start: 'integer', end: 'integer', items: list(item), ...added });
}
