import { GlobalRankingItem } from '@podium/messages';
import { Type } from '@sinclair/typebox';
import { globalBoard } from '../projection/boards';
import { gameHasRegion } from './documents.queries';
import { id, ids } from './path-parameters';
import { limit, paging, word } from './query-parameters';
import { read } from './read-row';
import { notFound } from './reads';
import { pageOf } from './replies';

const tag = 'Rankings';
const params = { game_id: ids.game_id, region: id('Region of the game', 'EU') };
const country = word('ISO 3166-1 code in any case; positions then count inside the country');

/** The global ranking of a game. */
export const rankingRows = [
  read({
    id: 'getGlobalRanking',
    path: '/rankings/games/{game_id}/regions/{region}',
    summary: 'Global ranking of a game',
    tag,
    params,
    query: { country, ...paging() },
    reply: pageOf({ GlobalRankingItem }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { game_id, region, country, ...args }) =>
      reads.ranking(globalBoard(game_id, region, country), args, {
        whenEmpty: async () => {
          if (!(await gameHasRegion(reads.db, reads.tables, game_id, region))) notFound('no such game or region');
        },
      }),
  }),
  read({
    id: 'getPlayerRanking',
    path: '/rankings/games/{game_id}/regions/{region}/players/{player_id}',
    summary: 'Position of a player in the global ranking',
    description:
      'A window of limit items around the player, who stands in the middle, with an even limit at limit/2; at the ends ' +
      'of the ranking the window shifts and stays full. start and end are the positions of its first and last item.',
    tag,
    params: { ...params, player_id: ids.player_id },
    query: { country, limit: limit(100, 20) },
    reply: pageOf({ GlobalRankingItem }, 'PlayerRanking', {
      position: Type.Integer({ minimum: 1, description: 'Position of the player' }),
    }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { game_id, region, player_id, country, limit }) =>
      reads.rankingAround(globalBoard(game_id, region, country), player_id, limit),
  }),
];
