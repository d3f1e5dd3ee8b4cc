import { Championship, ChampionshipResult, ChampionshipSubscription, Match } from '@podium/messages';
import { ids } from '../arguments/path-parameters';
import { paging, smallPageBounds } from '../arguments/page-bounds';
import { flags, requiredWord } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf, shape } from './replies';
import { filterOf, typeFilter } from '../arguments/type-filter';

const tag = 'Championships';
const params = { championship_id: ids.championship_id };

/** Championships, their matches, results and subscriptions. */
export const championshipRows = [
  read({
    id: 'getChampionships',
    path: '/championships',
    summary: 'Championships of a game',
    description: 'Latest start first.',
    tag,
    params: {},
    query: {
      game: requiredWord('Game id'),
      type: typeFilter('championships'),
      ...paging(smallPageBounds),
    },
    reply: pageOf({ Championship }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { game, type, ...args }) =>
      context.list({ list: 'championshipsOfGame', owner: game, filter: filterOf(type) }, null, args),
  }),
  read({
    id: 'getChampionship',
    path: '/championships/{championship_id}',
    summary: 'Championship details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ Championship }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { championship_id, expanded }) =>
      context.expandedDocument('championship', championship_id, expanded),
  }),
  read({
    id: 'getChampionshipMatches',
    path: '/championships/{championship_id}/matches',
    summary: 'Matches of a championship',
    description: 'Latest start first.',
    tag,
    params,
    query: { type: typeFilter('matches'), ...paging() },
    reply: pageOf({ Match }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { championship_id, type, ...args }) =>
      context.matchesOf({ kind: 'championship', id: championship_id }, filterOf(type), args),
  }),
  read({
    id: 'getChampionshipResults',
    path: '/championships/{championship_id}/results',
    summary: 'Results of a championship',
    description: 'Best place first.',
    tag,
    params,
    query: paging(),
    reply: pageOf({ ChampionshipResult }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { championship_id, ...args }) =>
      context.listOf('resultsOfChampionship', { kind: 'championship', id: championship_id }, args),
  }),
  read({
    id: 'getChampionshipSubscriptions',
    path: '/championships/{championship_id}/subscriptions',
    summary: 'Subscriptions of a championship',
    description: 'In the order of groups.',
    tag,
    params,
    query: paging(smallPageBounds),
    reply: pageOf({ ChampionshipSubscription }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { championship_id, ...args }) =>
      context.listOf('subscriptionsOfChampionship', { kind: 'championship', id: championship_id }, args),
  }),
];
