import { Championship, ChampionshipResult, ChampionshipSubscription, Match, recordKey } from '@podium/messages';
import { ids } from './path-parameters';
import { flags, paging, requiredWord } from './query-parameters';
import { read } from './read-row';
import { pageOf, shape } from './replies';
import { filterOf, typeFilter } from './type-filter';

const tag = 'Championships';
const params = { championship_id: ids.championship_id };

/** Championships and what belongs to one. */
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
      ...paging({ max: 10, default: 10 }),
    },
    reply: pageOf({ Championship }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { game, type, ...args }) =>
      reads.list({ list: 'championshipsOfGame', owner: game, filter: filterOf(type) }, null, args),
  }),
  read({
    id: 'getChampionship',
    path: '/championships/{championship_id}',
    summary: 'Championship details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ Championship }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { championship_id, expanded }) => reads.expandedDocument('championship', championship_id, expanded),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { championship_id, type, ...args }) =>
      reads.list(
        {
          list: 'matchesOfCompetition',
          owner: recordKey('championship', championship_id),
          filter: filterOf(type),
        },
        { kind: 'championship', id: championship_id },
        args,
      ),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { championship_id, ...args }) =>
      reads.list(
        { list: 'resultsOfChampionship', owner: championship_id, filter: '' },
        { kind: 'championship', id: championship_id },
        args,
      ),
  }),
  read({
    id: 'getChampionshipSubscriptions',
    path: '/championships/{championship_id}/subscriptions',
    summary: 'Subscriptions of a championship',
    description: 'Group after group.',
    tag,
    params,
    query: paging({ max: 10, default: 10 }),
    reply: pageOf({ ChampionshipSubscription }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { championship_id, ...args }) =>
      reads.list(
        { list: 'subscriptionsOfChampionship', owner: championship_id, filter: '' },
        { kind: 'championship', id: championship_id },
        args,
      ),
  }),
];
