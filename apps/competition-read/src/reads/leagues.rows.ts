import { League, LeaguePlayer, LeagueSeason, recordKey } from '@podium/messages';
import { leagueBoard } from '../projection/boards';
import { id, ids, numberInPath } from './path-parameters';
import { read } from './read-row';
import { shape } from './replies';

const tag = 'Leagues';
const leagueId = id('League', '7d3f2a10-53c4-4c9e-8e60-3b1f7e5a9d33');
const seasonId = numberInPath('Number of the season');

/** Leagues, their seasons and who plays in them. */
export const leagueRows = [
  read({
    id: 'getLeagueById',
    path: '/leagues/{league_id}',
    summary: 'League details',
    tag,
    params: { league_id: leagueId },
    query: {},
    reply: shape({ League }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { league_id }) => reads.document('league', league_id),
  }),
  read({
    id: 'getLeagueSeason',
    path: '/leagues/{league_id}/seasons/{season_id}',
    summary: 'Season of a league',
    tag,
    params: { league_id: leagueId, season_id: seasonId },
    query: {},
    reply: shape({ LeagueSeason }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { league_id, season_id }) =>
      reads.document('league-season', recordKey(league_id, String(season_id))),
  }),
  read({
    id: 'getPlayerForLeagueSeason',
    path: '/leagues/{league_id}/seasons/{season_id}/players/{player_id}',
    summary: 'Player in a league season',
    tag,
    params: { league_id: leagueId, season_id: seasonId, player_id: ids.player_id },
    query: {},
    reply: shape({ LeaguePlayer }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { league_id, season_id, player_id }) =>
      reads.rankedEntry(leagueBoard(league_id, season_id), player_id),
  }),
];
