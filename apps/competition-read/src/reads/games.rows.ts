import { Game, Matchmaking, MatchmakingListItem } from '@podium/messages';
import { parentGameText } from './documents.queries';
import { id, ids } from './path-parameters';
import { paging, word } from './query-parameters';
import { read } from './read-row';
import { found } from './reads';
import { pageOf, shape } from './replies';

const tag = 'Games';
const params = { game_id: ids.game_id };

/** Games and their matchmakings. */
export const gameRows = [
  read({
    id: 'getAllGames',
    path: '/games',
    summary: 'All games',
    tag,
    params: {},
    query: paging(),
    reply: pageOf({ Game }),
    cacheS: 60,
    scope: 'data:read',
    answer: (reads, args) => reads.list({ list: 'games', owner: '', filter: '' }, null, args),
  }),
  read({
    id: 'getGameMatchmakings',
    path: '/games/{game_id}/matchmakings',
    summary: 'Matchmakings of a game',
    tag,
    params,
    query: { region: word('Only those of this region'), ...paging() },
    reply: pageOf({ MatchmakingListItem }),
    cacheS: 60,
    scope: 'data:read',
    answer: (reads, { game_id, region, ...args }) =>
      reads.list(
        { list: 'matchmakingsOfGame', owner: game_id, filter: region ?? '' },
        { kind: 'game', id: game_id },
        args,
      ),
  }),
  read({
    id: 'getGame',
    path: '/games/{game_id}',
    summary: 'Game details',
    tag,
    params,
    query: {},
    reply: shape({ Game }),
    cacheS: 60,
    scope: 'data:read',
    answer: (reads, { game_id }) => reads.document('game', game_id),
  }),
  read({
    id: 'getParentGame',
    path: '/games/{game_id}/parent',
    summary: 'Parent game of a region-specific game',
    description: 'Not found where the game names no parent.',
    tag,
    params,
    query: {},
    reply: shape({ Game }),
    cacheS: 60,
    scope: 'data:read',
    answer: async (reads, { game_id }) => ({
      body: [found(await parentGameText(reads.db, reads.tables, game_id), 'no game with a parent of this id')],
    }),
  }),
  read({
    id: 'getMatchmaking',
    path: '/matchmakings/{matchmaking_id}',
    summary: 'Matchmaking details',
    tag: 'Matchmakings',
    params: { matchmaking_id: id('Matchmaking', '9a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d') },
    query: {},
    reply: shape({ Matchmaking }),
    cacheS: 60,
    scope: 'data:read',
    answer: (reads, { matchmaking_id }) => reads.document('matchmaking', matchmaking_id),
  }),
];
