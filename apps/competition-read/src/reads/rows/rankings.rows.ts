import { GlobalRankingItem } from '@podium/messages';
import { Type } from '@sinclair/typebox';
import { globalBoard } from '../../rankings/boards';
import { id, ids } from '../arguments/path-parameters';
import { limit, paging } from '../arguments/page-bounds';
import { word } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { requireRegion } from './region-of-game';
import { pageOf } from './replies';

const tag = 'Rankings';
const params = { game_id: ids.game_id, region: id('Region of the game', 'EU') };
const country = word('ISO 3166-1 code in any case; positions are then within the country');

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
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { game_id, region, country, ...args }) =>
      context.ranking(globalBoard(game_id, region, country), args, async () => {
        const isRanked = country !== undefined && (await context.hasEntries(globalBoard(game_id, region)));
        if (!isRanked) await requireRegion(context, game_id, region);
      }),
  }),
  read({
    id: 'getPlayerRanking',
    path: '/rankings/games/{game_id}/regions/{region}/players/{player_id}',
    summary: 'Position of a player in the global ranking',
    description:
      'A window of limit items with the player in the middle, at limit/2 for an even limit. At the ends of the ranking ' +
      'the window shifts and stays full. start and end are the positions of its first and last item.',
    tag,
    params: { ...params, player_id: ids.player_id },
    query: { country, limit: limit() },
    reply: pageOf({ GlobalRankingItem }, 'PlayerRanking', {
      start: Type.Integer({ minimum: 1, description: 'Position of the first item' }),
      end: Type.Integer({ minimum: 1, description: 'Position of the last item' }),
      position: Type.Integer({ minimum: 1, description: 'Position of the player' }),
    }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { game_id, region, player_id, country, limit }) =>
      context.rankingAround(globalBoard(game_id, region, country), player_id, limit),
  }),
];
