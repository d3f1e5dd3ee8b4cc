import {
  Match,
  TournamentBrackets,
  TournamentDetails,
  TournamentSummary,
  TournamentTeams,
  recordKey,
} from '@podium/messages';
import { id } from './path-parameters';
import { flags, paging, word } from './query-parameters';
import { read } from './read-row';
import { pageOf, shape } from './replies';
import { teamsOfTournament } from './teams-of-tournament';

const tag = 'Tournaments';
const params = { tournament_id: id('Tournament, a UUID', '8c9d0e1f-2a3b-4c4d-9e5f-6071829304a5') };

/** Tournaments and what belongs to one. */
export const tournamentRows = [
  read({
    id: 'getTournamentsList',
    path: '/tournaments',
    summary: 'Tournaments v1 (no longer used)',
    description: 'Tournaments of the current generation are championships. Latest start first.',
    tag,
    params: {},
    query: { game: word('Only those of this game'), region: word('Only those of this region'), ...paging() },
    reply: pageOf({ TournamentSummary }),
    cacheS: 10,
    scope: 'data:read',
    deprecatedSince: new Date('2026-01-01T00:00:00Z'),
    answer: (reads, { game, region, ...args }) =>
      reads.list({ list: 'tournaments', owner: game ?? '', filter: region ?? '' }, null, args),
  }),
  read({
    id: 'getTournament',
    path: '/tournaments/{tournament_id}',
    summary: 'Tournament details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ TournamentDetails }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { tournament_id, expanded }) => reads.expandedDocument('tournament', tournament_id, expanded),
  }),
  read({
    id: 'getTournamentBrackets',
    path: '/tournaments/{tournament_id}/brackets',
    summary: 'Brackets of a tournament',
    tag,
    params,
    query: {},
    reply: shape({ TournamentBrackets }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { tournament_id }) => reads.document('tournament-brackets', tournament_id),
  }),
  read({
    id: 'getTournamentMatches',
    path: '/tournaments/{tournament_id}/matches',
    summary: 'Matches of a tournament',
    description: 'Latest start first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ Match }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { tournament_id, ...args }) =>
      reads.list(
        { list: 'matchesOfCompetition', owner: recordKey('tournament', tournament_id), filter: '' },
        { kind: 'tournament', id: tournament_id },
        args,
      ),
  }),
  read({
    id: 'getTournamentTeams',
    path: '/tournaments/{tournament_id}/teams',
    summary: 'Teams of a tournament',
    description: 'offset and limit apply to each of the four arrays. Joined first stands first.',
    tag,
    params,
    query: paging(),
    reply: shape({ TournamentTeams }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { tournament_id, ...args }) => teamsOfTournament(reads, tournament_id, args),
  }),
];
