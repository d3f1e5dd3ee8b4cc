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
import { envelope } from './answer';
import { monthBefore } from './month-before';
import { ids } from './path-parameters';
import { instant, paging, requiredWord, word } from './query-parameters';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Players';
const params = { player_id: ids.player_id };

/** Players and what belongs to one. */
export const playerRows = [
  read({
    id: 'getPlayerFromLookup',
    path: '/players',
    summary: 'Player by query',
    description: 'By nickname, compared exactly, or by game and game_player_id; nickname goes first.',
    tag,
    params: {},
    query: {
      nickname: word('The whole nickname'),
      game: word('Game id'),
      game_player_id: word("The player's id on the game's platform"),
    },
    reply: shape({ Player }),
    cacheS: 30,
    scope: 'data:read',
    answer: async (reads, { nickname, game, game_player_id }) => {
      if (nickname !== undefined) return reads.document('player', await reads.firstId('playersByNickname', nickname));
      if (game === undefined || game_player_id === undefined)
        throw new CodedError('invalid_request', {
          message: 'Give nickname, or game with game_player_id.',
          parameters: ['nickname', 'game', 'game_player_id'],
        });
      return reads.document('player', await reads.firstId('playersByGameId', recordKey(game, game_player_id)));
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
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { player_id }) => reads.document('player', player_id),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { player_id, ...args }) =>
      reads.list({ list: 'bansOfPlayer', owner: player_id, filter: '' }, { kind: 'player', id: player_id }, args),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { player_id, game_id, from, to, ...args }) =>
      reads.list(
        { list: 'matchStatsOfPlayer', owner: player_id, filter: game_id, from, to },
        { kind: 'player', id: player_id },
        args,
        { whenEmpty: () => reads.require('game', game_id) },
      ),
  }),
  read({
    id: 'getPlayerHistory',
    path: '/players/{player_id}/history',
    summary: 'Matches of a player',
    description: 'Latest first; from and to are given back as used.',
    tag,
    params,
    query: {
      game: requiredWord('Game id'),
      from: instant('Earliest end of a match, Unix seconds; a month before now if not given'),
      to: instant('Latest end of a match, Unix seconds; now if not given'),
      ...paging({ maxOffset: 1000 }),
    },
    reply: pageOf({ PlayerMatch }, 'PlayerHistory', {
      from: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
      to: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
    }),
    cacheS: 10,
    scope: 'data:read',
    answer: async (reads, { player_id, game, ...args }) => {
      const { from = monthBefore(reads.nowMs), to = Math.floor(reads.nowMs / 1000) } = args;
      const { body, page } = await reads.list(
        { list: 'historyOfPlayer', owner: player_id, filter: game, from, to },
        { kind: 'player', id: player_id },
        args,
        {
          bodyOf: (items, start, limit) => envelope(start, start + limit, items, `,"from":${from},"to":${to}`),
        },
      );
      return { body, page: page && { ...page, used: { from, to } } };
    },
  }),
  read({
    id: 'getPlayerHubs',
    path: '/players/{player_id}/hubs',
    summary: 'Hubs of a player',
    description: 'Joined last stands first.',
    tag,
    params,
    query: paging({ max: 50, default: 50, maxOffset: 1000 }),
    reply: pageOf({ Hub }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { player_id, ...args }) =>
      reads.list({ list: 'hubsOfPlayer', owner: player_id, filter: '' }, { kind: 'player', id: player_id }, args),
  }),
  read({
    id: 'getPlayerStats',
    path: '/players/{player_id}/stats/{game_id}',
    summary: 'Statistics of a player',
    tag,
    params: { ...params, game_id: ids.game_id },
    query: {},
    reply: shape({ PlayerStats }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { player_id, game_id }) => reads.document('player-stats', recordKey(player_id, game_id)),
  }),
  read({
    id: 'getPlayerTeams',
    path: '/players/{player_id}/teams',
    summary: 'Teams of a player',
    tag,
    params,
    query: paging(),
    reply: pageOf({ Team }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { player_id, ...args }) =>
      reads.list({ list: 'teamsOfPlayer', owner: player_id, filter: '' }, { kind: 'player', id: player_id }, args),
  }),
  read({
    id: 'getPlayerTournaments',
    path: '/players/{player_id}/tournaments',
    summary: 'Tournaments of a player',
    description: 'Joined last stands first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ TournamentSummary }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { player_id, ...args }) =>
      reads.list(
        { list: 'tournamentsOfPlayer', owner: player_id, filter: '' },
        { kind: 'player', id: player_id },
        args,
      ),
  }),
];
