import { QueueBan, QueueDetails, QueueSummary, recordKey } from '@podium/messages';
import { OwnedQueue, gameHasRegion, ownedQueue } from './documents.queries';
import { id, ids } from './path-parameters';
import { paging, requiredWord } from './query-parameters';
import { read } from './read-row';
import { Reads, found, notFound } from './reads';
import { pageOf, shape } from './replies';

const tag = 'Queues';
const queueParams = { game_id: ids.game_id, queue_id: id('Queue, 24 hex characters', '65f0e1d2c3b4a59687786950') };

/** Queues, for developers of games and for organizers that own them. */
export const queueRows = [
  read({
    id: 'getQueuesByEntityFilters',
    path: '/games/{game_id}/queues',
    summary: 'Queues by filters',
    description: 'Game developers see all queues, organizers their own.',
    tag,
    params: { game_id: ids.game_id },
    query: {
      entity_type: requiredWord('Kind of what the queues belong to'),
      entity_id: requiredWord('What the queues belong to'),
      ...paging({ max: 20 }),
    },
    reply: pageOf({ QueueSummary }),
    cacheS: 5,
    scope: 'queues:developer or organizer',
    answer: (reads, { game_id, entity_type, entity_id, ...args }) =>
      reads.list(
        {
          list: 'queuesOfEntity',
          owner: recordKey(game_id, entity_type, entity_id),
          filter: reads.caller.visibleOrganizers(game_id) ?? '',
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
    cacheS: 5,
    scope: 'queues:developer or organizer',
    answer: async (reads, { game_id, queue_id }) => ({ body: [(await visibleQueue(reads, game_id, queue_id)).body] }),
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
    cacheS: 5,
    scope: 'queues:developer or organizer',
    answer: async (reads, { game_id, queue_id, ...args }) => {
      await visibleQueue(reads, game_id, queue_id);
      return reads.list({ list: 'bansOfQueue', owner: queue_id, filter: '' }, null, args);
    },
  }),
  read({
    id: 'getQueuesByRegion',
    path: '/games/{game_id}/regions/{region_id}/queues',
    summary: 'Queues by region',
    description: 'For developers of the game.',
    tag,
    params: { game_id: ids.game_id, region_id: id('Region of the game', 'EU') },
    query: paging({ max: 20 }),
    reply: pageOf({ QueueSummary }),
    cacheS: 5,
    scope: 'queues:developer',
    answer: (reads, { game_id, region_id, ...args }) =>
      reads.list(
        { list: 'queuesOfRegion', owner: recordKey(game_id, region_id), filter: '' },
        { kind: 'game', id: game_id },
        args,
        {
          whenEmpty: async () => {
            if (!(await gameHasRegion(reads.db, reads.tables, game_id, region_id))) notFound('no such region');
          },
        },
      ),
  }),
];

/** The queue, for a caller that may see it. */
async function visibleQueue(reads: Reads, gameId: string, queueId: string): Promise<OwnedQueue> {
  const queue = found(await ownedQueue(reads.db, reads.tables, queueId), 'no queue of this id');
  if (queue.game !== gameId) notFound('a queue of another game');
  reads.caller.requireQueue(gameId, queue.organizer);
  return queue;
}
