import { Match, TournamentBrackets, TournamentDetails, TournamentSummary, TournamentTeams } from '@podium/messages';
import { id } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { flags, word } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf, shape } from './replies';
import { teamsOfTournament } from './teams-of-tournament';

const tag = 'Tournaments';
const params = { tournament_id: id('Tournament, a UUID', '8c9d0e1f-2a3b-4c4d-9e5f-6071829304a5') };

/** Tournaments, their brackets, matches and teams. */
export const tournamentRows = [
  read({
    id: 'getTournamentsList',
    path: '/tournaments',
    summary: 'Tournaments v1 (no longer used)',
    description: 'Current tournaments are championships. Latest start first.',
    tag,
    params: {},
    query: { game: word('Only those of this game'), region: word('Only those of this region'), ...paging() },
    reply: pageOf({ TournamentSummary }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    deprecatedSince: new Date('2026-01-01T00:00:00Z'),
    answer: (context, { game, region, ...args }) =>
      context.list({ list: 'tournaments', owner: game ?? '', filter: region ?? '' }, null, args),
  }),
  read({
    id: 'getTournament',
    path: '/tournaments/{tournament_id}',
    summary: 'Tournament details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ TournamentDetails }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { tournament_id, expanded }) => context.expandedDocument('tournament', tournament_id, expanded),
  }),
  read({
    id: 'getTournamentBrackets',
    path: '/tournaments/{tournament_id}/brackets',
    summary: 'Brackets of a tournament',
    tag,
    params,
    query: {},
    reply: shape({ TournamentBrackets }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { tournament_id }) =>
      context.document('tournament-brackets', tournament_id, { kind: 'tournament', id: tournament_id }),
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
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { tournament_id, ...args }) =>
      context.matchesOf({ kind: 'tournament', id: tournament_id }, '', args),
  }),
  read({
    id: 'getTournamentTeams',
    path: '/tournaments/{tournament_id}/teams',
    summary: 'Teams of a tournament',
    description: 'offset and limit apply to each of the four arrays. Earliest joined first.',
    tag,
    params,
    query: paging(),
    reply: shape({ TournamentTeams }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { tournament_id, ...args }) => teamsOfTournament(context, tournament_id, args),
  }),
];
