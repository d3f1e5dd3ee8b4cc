import { Team, TeamStats, TournamentSummary, recordKey } from '@podium/messages';
import { id, ids } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Teams';
const params = { team_id: id('Team, a UUID', '4e5f6071-8293-4a4b-9c5d-6e7f8091a2b3') };

/** Teams, their statistics and tournaments. */
export const teamRows = [
  read({
    id: 'getTeam',
    path: '/teams/{team_id}',
    summary: 'Team details',
    tag,
    params,
    query: {},
    reply: shape({ Team }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { team_id }) => context.document('team', team_id),
  }),
  read({
    id: 'getTeamStats',
    path: '/teams/{team_id}/stats/{game_id}',
    summary: 'Team statistics',
    tag,
    params: { ...params, game_id: ids.game_id },
    query: {},
    reply: shape({ TeamStats }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { team_id, game_id }) =>
      context.document('team-stats', recordKey(team_id, game_id), { kind: 'team', id: team_id }),
  }),
  // jscpd:ignore-start -- a row declares all of its operation, also where another resource has one like it
  read({
    id: 'getTeamTournaments',
    path: '/teams/{team_id}/tournaments',
    summary: 'Tournaments of a team',
    description: 'Most recently joined first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ TournamentSummary }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { team_id, ...args }) => context.listOf('tournamentsOfTeam', { kind: 'team', id: team_id }, args),
  }),
  // jscpd:ignore-end
];
