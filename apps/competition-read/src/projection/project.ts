import { CompetitionChange, CompetitionKind, changedDocument, competitionDocumentDeleted } from '@podium/messages';
import type { ContentOf, DocumentContent } from './document-content';
import {
  projectChampionship,
  projectChampionshipResult,
  projectChampionshipSubscription,
} from './project-championships';
import { projectGame, projectMatchmaking, projectQueue, projectQueueBan } from './project-games';
import { projectHub, projectHubMember, projectHubPlayerStats, projectHubRole, projectHubRules } from './project-hubs';
import {
  projectLeaderboard,
  projectLeaderboardEntry,
  projectLeague,
  projectLeaguePlayer,
  projectLeagueSeason,
} from './project-leaderboards';
import { projectMatch, projectMatchHistory, projectMatchStats } from './project-matches';
import { projectOrganizer } from './project-organizers';
import { projectPlayer, projectPlayerBan, projectPlayerStats } from './project-players';
import { projectClan, projectTeam, projectTeamStats } from './project-teams';
import { projectTournament, projectTournamentBrackets, projectTournamentTeam } from './project-tournaments';
import type { Projection } from './projection';

/**
 * Version of `project`. Raise it with any change of the rows that a document gets: table sets built by an older version
 * are then outdated, and the service reports that a rebuild is due.
 */
export const projectionVersion = 5;

/**
 * The rows of one document in the tables. Pure and total: they depend only on the document, and a document that its schema
 * allows never throws.
 */
export function project(content: DocumentContent): Projection {
  // Each kind has its own projector type, which the compiler cannot infer through the union.
  const projector = projectors[content.kind] as (content: DocumentContent) => Projection;
  return projector(content);
}

/** The document of a change; null for a deletion. */
export function contentOf(change: CompetitionChange): DocumentContent | null {
  if (change.type === competitionDocumentDeleted.type) return null;
  const { kind, id } = changedDocument(change);
  const { document, beside } = change.data;
  return { kind, id, document, beside: beside ?? {} } as DocumentContent;
}

const projectors: { readonly [K in CompetitionKind]: (content: ContentOf<K>) => Projection } = {
  game: projectGame,
  organizer: projectOrganizer,
  championship: projectChampionship,
  'championship-result': projectChampionshipResult,
  'championship-subscription': projectChampionshipSubscription,
  match: projectMatch,
  'match-stats': projectMatchStats,
  'match-history': projectMatchHistory,
  hub: projectHub,
  'hub-member': projectHubMember,
  'hub-role': projectHubRole,
  'hub-rules': projectHubRules,
  'hub-player-stats': projectHubPlayerStats,
  leaderboard: projectLeaderboard,
  'leaderboard-entry': projectLeaderboardEntry,
  league: projectLeague,
  'league-season': projectLeagueSeason,
  'league-player': projectLeaguePlayer,
  matchmaking: projectMatchmaking,
  queue: projectQueue,
  'queue-ban': projectQueueBan,
  tournament: projectTournament,
  'tournament-brackets': projectTournamentBrackets,
  'tournament-team': projectTournamentTeam,
  team: projectTeam,
  'team-stats': projectTeamStats,
  player: projectPlayer,
  'player-stats': projectPlayerStats,
  'player-ban': projectPlayerBan,
  clan: projectClan,
};
