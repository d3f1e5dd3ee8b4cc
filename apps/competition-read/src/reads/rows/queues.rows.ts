import { QueueBan, QueueDetails, QueueSummary, recordKey } from '@podium/messages';
import { storedDocument } from '../queries/documents.queries';
import { requireVisibleQueue, visibleQueueOrganizers } from '../access/queue-visibility';
import { id, ids } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { requiredWord } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { found, notFound } from '../context/not-found';
import type { ReadContext } from '../context/read-context';
import { requireRegion } from './region-of-game';
import { pageOf, shape } from './replies';

const tag = 'Queues';
const queueParams = { game_id: ids.game_id, queue_id: id('Queue, 24 hex characters', '65f0e1d2c3b4a59687786950') };

/** Queues, for developers of their game and the organizers that own them. */
export const queueRows = [
  read({
    id: 'getQueuesByEntityFilters',
    path: '/games/{game_id}/queues',
    summary: 'Queues by filters',
    description: 'Game developers see all queues, organizers their own.',
    tag,
    params: { game_id: ids.game_id },
    query: {
      entity_type: requiredWord('Type of the entity that owns the queues'),
      entity_id: requiredWord('Id of the entity that owns the queues'),
      ...paging({ maxLimit: 20 }),
    },
    reply: pageOf({ QueueSummary }),
    cacheS: cacheSeconds.live,
    scope: 'queues:developer or organizer',
    answer: (context, { game_id, entity_type, entity_id, ...args }) =>
      context.list(
        {
          list: 'queuesOfEntity',
          owner: recordKey(game_id, entity_type, entity_id),
          filter: visibleQueueOrganizers(context.caller, game_id) ?? '',
        },
        { kind: 'game', id: game_id },
        args,
      ),
  }),
  read({
    id: 'getQueueById',
    path: '/games/{game_id}/queues/{queue_id}',
    summary: 'Queue details',
    description: 'For developers of the game and for the organizer that owns the queue.',
    tag,
    params: queueParams,
    query: {},
    reply: shape({ QueueDetails }),
    cacheS: cacheSeconds.live,
    scope: 'queues:developer or organizer',
    answer: async (context, { game_id, queue_id }) => ({ body: [await visibleQueue(context, game_id, queue_id)] }),
  }),
  read({
    id: 'getQueueBans',
    path: '/games/{game_id}/queues/{queue_id}/bans',
    summary: 'Queue bans',
    description: 'Latest first; for developers of the game and for the organizer that owns the queue.',
    tag,
    params: queueParams,
    query: paging(),
    reply: pageOf({ QueueBan }),
    cacheS: cacheSeconds.live,
    scope: 'queues:developer or organizer',
    answer: async (context, { game_id, queue_id, ...args }) => {
      await visibleQueue(context, game_id, queue_id);
      return context.list({ list: 'bansOfQueue', owner: queue_id, filter: '' }, null, args);
    },
  }),
  read({
    id: 'getQueuesByRegion',
    path: '/games/{game_id}/regions/{region_id}/queues',
    summary: 'Queues by region',
    description: 'For developers of the game.',
    tag,
    params: { game_id: ids.game_id, region_id: id('Region of the game', 'EU') },
    query: paging({ maxLimit: 20 }),
    reply: pageOf({ QueueSummary }),
    cacheS: cacheSeconds.live,
    scope: 'queues:developer',
    answer: (context, { game_id, region_id, ...args }) =>
      context.list(
        { list: 'queuesOfRegion', owner: recordKey(game_id, region_id), filter: '' },
        { kind: 'game', id: game_id },
        args,
        { whenEmpty: () => requireRegion(context, game_id, region_id) },
      ),
  }),
];

/** The text of the queue of a game, which must exist, if the caller may see it. */
async function visibleQueue(context: ReadContext, gameId: string, queueId: string): Promise<string> {
  const [queue] = await Promise.all([
    storedDocument(context.db, context.tables, 'queue', queueId),
    context.require('game', gameId),
  ]);
  const { text, value } = found(queue, 'no queue with this id');
  if (value.game !== gameId) notFound('a queue of another game');
  requireVisibleQueue(context.caller, value);
  return text;
}
