import {
  CodedError,
  Hub,
  Player,
  PlayerBan,
  PlayerMatch,
  PlayerMatchStats,
  PlayerStats,
  Team,
  TournamentSummary,
  recordKey,
} from '@podium/messages';
import { Type } from '@sinclair/typebox';
import { envelope } from '../answers/answer';
import { historyPeriod } from './history-period';
import { ids } from '../arguments/path-parameters';
import { hubPageBounds, paging } from '../arguments/page-bounds';
import { instant, requiredWord, wholeName, word } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Players';
const params = { player_id: ids.player_id };

/** Players, their matches, statistics, bans, hubs, teams and tournaments. */
export const playerRows = [
  read({
    id: 'getPlayerFromLookup',
    path: '/players',
    summary: 'Player by query',
    description: 'By exact nickname, or by game and game_player_id; nickname takes precedence.',
    tag,
    params: {},
    query: {
      nickname: wholeName('The whole nickname'),
      game: word('Game id'),
      game_player_id: wholeName("The player's id on the game's platform"),
    },
    reply: shape({ Player }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: async (context, { nickname, game, game_player_id }) => {
      if (nickname !== undefined)
        return context.document('player', await context.firstId('playersByNickname', nickname));
      if (game === undefined || game_player_id === undefined)
        throw new CodedError('invalid_request', {
          message: 'Give nickname, or game with game_player_id.',
          parameters: ['nickname', 'game', 'game_player_id'],
        });
      return context.document('player', await context.firstId('playersByGameId', recordKey(game, game_player_id)));
    },
  }),
  read({
    id: 'getPlayer',
    path: '/players/{player_id}',
    summary: 'Player details',
    tag,
    params,
    query: {},
    reply: shape({ Player }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { player_id }) => context.document('player', player_id),
  }),
  read({
    id: 'getPlayerBans',
    path: '/players/{player_id}/bans',
    summary: 'Bans of a player',
    description: 'Latest first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ PlayerBan }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { player_id, ...args }) =>
      context.listOf('bansOfPlayer', { kind: 'player', id: player_id }, args),
  }),
  read({
    id: 'getPlayerMatchesStats',
    path: '/players/{player_id}/games/{game_id}/stats',
    summary: 'Statistics of a player over a number of matches',
    description: 'Latest first.',
    tag,
    params: { ...params, game_id: ids.game_id },
    query: {
      from: instant('Earliest end of a match, Unix milliseconds'),
      to: instant('Latest end of a match, Unix milliseconds'),
      ...paging({ maxOffset: 200 }),
    },
    reply: pageOf({ PlayerMatchStats }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { player_id, game_id, from, to, ...args }) =>
      context.list(
        { list: 'matchStatsOfPlayer', owner: player_id, filter: game_id, from, to },
        { kind: 'player', id: player_id },
        args,
        { whenEmpty: () => context.require('game', game_id) },
      ),
  }),
  read({
    id: 'getPlayerHistory',
    path: '/players/{player_id}/history',
    summary: 'Matches of a player',
    description: 'Latest first; the response contains from and to as used.',
    tag,
    params,
    query: {
      game: requiredWord('Game id'),
      from: instant('Earliest end of a match, Unix seconds; default: a month before now'),
      to: instant('Latest end of a match, Unix seconds; default: now'),
      ...paging({ maxOffset: 1000 }),
    },
    reply: pageOf({ PlayerMatch }, 'PlayerHistory', {
      from: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
      to: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
    }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: async (context, { player_id, game, ...args }) => {
      const { from, to } = historyPeriod(args, context.nowMs);
      const { body, page } = await context.list(
        { list: 'historyOfPlayer', owner: player_id, filter: game, from, to },
        { kind: 'player', id: player_id },
        args,
        {
          bodyOf: (items, start, limit) => envelope(start, start + limit, items, `,"from":${from},"to":${to}`),
        },
      );
      // A default can end a period before it begins. That is empty, and no request can ask for it: links leave the default out.
      const used: Record<string, number> = from > to ? {} : { from, to };
      return { body, page: page && { ...page, used } };
    },
  }),
  read({
    id: 'getPlayerHubs',
    path: '/players/{player_id}/hubs',
    summary: 'Hubs of a player',
    description: 'Most recently joined first.',
    tag,
    params,
    query: paging(hubPageBounds),
    reply: pageOf({ Hub }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { player_id, ...args }) =>
      context.listOf('hubsOfPlayer', { kind: 'player', id: player_id }, args),
  }),
  read({
    id: 'getPlayerStats',
    path: '/players/{player_id}/stats/{game_id}',
    summary: 'Statistics of a player',
    tag,
    params: { ...params, game_id: ids.game_id },
    query: {},
    reply: shape({ PlayerStats }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { player_id, game_id }) =>
      context.document('player-stats', recordKey(player_id, game_id), { kind: 'player', id: player_id }),
  }),
  read({
    id: 'getPlayerTeams',
    path: '/players/{player_id}/teams',
    summary: 'Teams of a player',
    tag,
    params,
    query: paging(),
    reply: pageOf({ Team }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { player_id, ...args }) =>
      context.listOf('teamsOfPlayer', { kind: 'player', id: player_id }, args),
  }),
  read({
    id: 'getPlayerTournaments',
    path: '/players/{player_id}/tournaments',
    summary: 'Tournaments of a player',
    description:
      'Most recently joined first. One that the player joined with several teams is listed once, by the latest.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ TournamentSummary }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { player_id, ...args }) =>
      context.listOf('tournamentsOfPlayer', { kind: 'player', id: player_id }, args),
  }),
];
