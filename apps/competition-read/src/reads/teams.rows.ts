import { Team, TeamStats, TournamentSummary, recordKey } from '@podium/messages';
import { id, ids } from './path-parameters';
import { paging } from './query-parameters';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Teams';
const params = { team_id: id('Team, a UUID', '4e5f6071-8293-4a4b-9c5d-6e7f8091a2b3') };

/** Teams and what belongs to one. */
export const teamRows = [
  read({
    id: 'getTeam',
    path: '/teams/{team_id}',
    summary: 'Team details',
    tag,
    params,
    query: {},
    reply: shape({ Team }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { team_id }) => reads.document('team', team_id),
  }),
  read({
    id: 'getTeamStats',
    path: '/teams/{team_id}/stats/{game_id}',
    summary: 'Team statistics',
    tag,
    params: { ...params, game_id: ids.game_id },
    query: {},
    reply: shape({ TeamStats }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { team_id, game_id }) => reads.document('team-stats', recordKey(team_id, game_id)),
  }),
  read({
    id: 'getTeamTournaments',
    path: '/teams/{team_id}/tournaments',
    summary: 'Tournaments of a team',
    description: 'Joined last stands first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ TournamentSummary }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { team_id, ...args }) =>
      reads.list({ list: 'tournamentsOfTeam', owner: team_id, filter: '' }, { kind: 'team', id: team_id }, args),
  }),
];
