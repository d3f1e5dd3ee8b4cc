import { Static, TObject } from '@sinclair/typebox';
import { recordKey } from '../keys';
import { indexFields } from './index-fields';
import * as shapes from './shapes';

/** A kind of documents: its schema and the field with its id. */
export interface CompetitionKindRow<Document extends TObject = TObject, Beside extends TObject = TObject> {
  readonly document: Document;
  /** Index fields, which lists and searches need and the document does not have. */
  readonly beside: Beside;
  /** The id under which a document must be stored; null when any unique id is allowed. */
  idOf(document: Static<Document>, beside: Static<Beside>): string | null;
  readonly summary: string;
  /** Version of its change's published schema; raised with every change of the document or of its index fields. */
  readonly schemaVersion: number;
}

function kind<Document extends TObject, Beside extends TObject>(
  summary: string,
  document: Document,
  beside: Beside,
  idOf: (document: Static<Document>, beside: Static<Beside>) => string | null,
  schemaVersion = 2,
): CompetitionKindRow<Document, Beside> {
  return { document, beside, idOf, summary, schemaVersion };
}

const anyId = () => null;

/** The table of the kinds of competition data. An id of several parts is a `recordKey` of them. */
export const competitionKinds = {
  game: kind('A game', shapes.Game, indexFields.none, (game) => game.game_id),
  organizer: kind('An organizer', shapes.Organizer, indexFields.organizer, (organizer) => organizer.organizer_id),
  championship: kind(
    'A championship',
    shapes.StoredChampionship,
    indexFields.championship,
    (championship) => championship.championship_id,
    3,
  ),
  'championship-result': kind(
    'A range of places of a championship',
    shapes.ChampionshipResult,
    indexFields.ofChampionship,
    anyId,
  ),
  'championship-subscription': kind(
    'A team that subscribed to a championship',
    shapes.ChampionshipSubscription,
    indexFields.ofChampionship,
    anyId,
  ),
  match: kind('A match', shapes.Match, indexFields.none, (match) => match.match_id, 3),
  'match-stats': kind(
    'A match in numbers',
    shapes.MatchStats,
    indexFields.matchStats,
    (stats) => stats.rounds.at(0)?.match_id ?? null,
  ),
  'match-history': kind(
    'A match in the history of its players',
    shapes.PlayerMatch,
    indexFields.none,
    (match) => match.match_id,
  ),
  hub: kind('A hub', shapes.StoredHub, indexFields.none, (hub) => hub.hub_id),
  'hub-member': kind('A member of a hub', shapes.HubMember, indexFields.hubMember, (member, { hub_id }) =>
    recordKey(hub_id, member.user_id),
  ),
  'hub-role': kind('A role of a hub', shapes.HubRole, indexFields.ofHub, (role, { hub_id }) =>
    recordKey(hub_id, role.role_id),
  ),
  'hub-rules': kind('The rules of a hub, under the id of the hub', shapes.HubRules, indexFields.none, anyId),
  'hub-player-stats': kind(
    "A player's statistics in a hub",
    shapes.HubPlayerStats,
    indexFields.ofHub,
    (stats, beside) => recordKey(beside.hub_id, stats.player_id),
  ),
  leaderboard: kind('A leaderboard', shapes.Leaderboard, indexFields.none, (leaderboard) => leaderboard.leaderboard_id),
  'leaderboard-entry': kind(
    "A player's points in a leaderboard",
    shapes.StoredRankingEntry,
    indexFields.ofLeaderboard,
    (entry, { leaderboard_id }) => recordKey(leaderboard_id, entry.player.user_id),
  ),
  league: kind('A league', shapes.League, indexFields.none, (league) => league.id),
  'league-season': kind(
    'A season of a league',
    shapes.LeagueSeason,
    indexFields.ofLeague,
    ({ season }, { league_id }) => recordKey(league_id, String(season.number)),
  ),
  'league-player': kind(
    "A player's points in a season of a league",
    shapes.StoredLeaguePlayer,
    indexFields.leaguePlayer,
    (_, { league_id, season_id, player_id }) => recordKey(league_id, String(season_id), player_id),
  ),
  matchmaking: kind('A matchmaking', shapes.Matchmaking, indexFields.none, (matchmaking) => matchmaking.id),
  queue: kind('A queue', shapes.QueueDetails, indexFields.none, (queue) => queue.id),
  'queue-ban': kind('A ban from a queue', shapes.QueueBan, indexFields.none, (ban) => ban.banId),
  tournament: kind(
    'A tournament',
    shapes.StoredTournamentDetails,
    indexFields.none,
    (tournament) => tournament.tournament_id,
  ),
  'tournament-brackets': kind(
    'The brackets of a tournament, under the id of the tournament',
    shapes.TournamentBrackets,
    indexFields.none,
    anyId,
  ),
  'tournament-team': kind(
    'A team in a tournament',
    shapes.TournamentTeam,
    indexFields.tournamentTeam,
    (team, { tournament_id }) => recordKey(tournament_id, team.team_id),
  ),
  team: kind('A team', shapes.Team, indexFields.team, (team) => team.team_id),
  'team-stats': kind("A team's statistics in a game", shapes.TeamStats, indexFields.none, (stats) =>
    recordKey(stats.team_id, stats.game_id),
  ),
  player: kind('A player', shapes.StoredPlayer, indexFields.player, (player) => player.player_id),
  'player-stats': kind("A player's statistics in a game", shapes.PlayerStats, indexFields.none, (stats) =>
    recordKey(stats.player_id, stats.game_id),
  ),
  'player-ban': kind('A ban of a player', shapes.PlayerBan, indexFields.none, anyId),
  clan: kind('A clan', shapes.ClanSearchItem, indexFields.none, (clan) => clan.id),
};

type Kinds = typeof competitionKinds;

/** The name of a kind of documents. */
export type CompetitionKind = keyof Kinds;

/** The document of a kind. */
export type CompetitionDocument<K extends CompetitionKind> = Static<Kinds[K]['document']>;

/** The index fields of a kind. */
export type CompetitionIndexFields<K extends CompetitionKind> = Static<Kinds[K]['beside']>;

/** All kinds, in the order of the table. */
export const competitionKindNames = Object.keys(competitionKinds) as CompetitionKind[];

/** Whether a text names a kind. */
export function isCompetitionKind(text: string): text is CompetitionKind {
  return Object.hasOwn(competitionKinds, text);
}

/** The id under which a document must be stored; null when any id unique within the kind is allowed. */
export function competitionIdOf<K extends CompetitionKind>(
  kind: K,
  document: CompetitionDocument<K>,
  beside: CompetitionIndexFields<K>,
): string | null {
  const row: CompetitionKindRow = competitionKinds[kind];
  return row.idOf(document, beside);
}
