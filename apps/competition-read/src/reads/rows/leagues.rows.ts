import { League, LeaguePlayer, LeagueSeason, recordKey } from '@podium/messages';
import { leagueBoard } from '../../rankings/boards';
import { id, ids, numberInPath } from '../arguments/path-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { shape } from './replies';

const tag = 'Leagues';
const leagueId = id('League', '7d3f2a10-53c4-4c9e-8e60-3b1f7e5a9d33');
const seasonId = numberInPath('Number of the season');

/** Leagues, their seasons and players. */
export const leagueRows = [
  read({
    id: 'getLeagueById',
    path: '/leagues/{league_id}',
    summary: 'League details',
    tag,
    params: { league_id: leagueId },
    query: {},
    reply: shape({ League }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { league_id }) => context.document('league', league_id),
  }),
  read({
    id: 'getLeagueSeason',
    path: '/leagues/{league_id}/seasons/{season_id}',
    summary: 'Season of a league',
    tag,
    params: { league_id: leagueId, season_id: seasonId },
    query: {},
    reply: shape({ LeagueSeason }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { league_id, season_id }) =>
      context.document('league-season', recordKey(league_id, String(season_id)), { kind: 'league', id: league_id }),
  }),
  read({
    id: 'getPlayerForLeagueSeason',
    path: '/leagues/{league_id}/seasons/{season_id}/players/{player_id}',
    summary: 'Player in a league season',
    tag,
    params: { league_id: leagueId, season_id: seasonId, player_id: ids.player_id },
    query: {},
    reply: shape({ LeaguePlayer }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { league_id, season_id, player_id }) =>
      context.rankedEntry(
        [
          { kind: 'league', id: league_id },
          { kind: 'league-season', id: recordKey(league_id, String(season_id)) },
        ],
        leagueBoard(league_id, season_id),
        player_id,
      ),
  }),
];
