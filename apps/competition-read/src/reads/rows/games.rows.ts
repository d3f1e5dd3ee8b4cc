import { Game, Matchmaking, MatchmakingListItem } from '@podium/messages';
import { parentGameText } from '../queries/documents.queries';
import { id, ids } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { word } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { found } from '../context/not-found';
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
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: (context, args) => context.list({ list: 'games', owner: '', filter: '' }, null, args),
  }),
  read({
    id: 'getGameMatchmakings',
    path: '/games/{game_id}/matchmakings',
    summary: 'Matchmakings of a game',
    tag,
    params,
    query: { region: word('Only those of this region'), ...paging() },
    reply: pageOf({ MatchmakingListItem }),
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: (context, { game_id, region, ...args }) =>
      context.list(
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
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: (context, { game_id }) => context.document('game', game_id),
  }),
  read({
    id: 'getParentGame',
    path: '/games/{game_id}/parent',
    summary: 'Parent game of a region-specific game',
    description: '404 if the game has no parent.',
    tag,
    params,
    query: {},
    reply: shape({ Game }),
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: async (context, { game_id }) => ({
      body: [
        found(await parentGameText(context.db, context.tables, game_id), 'no game with this id that has a parent'),
      ],
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
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: (context, { matchmaking_id }) => context.document('matchmaking', matchmaking_id),
  }),
];
