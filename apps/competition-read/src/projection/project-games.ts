import {
  Game,
  Matchmaking,
  MatchmakingListItem,
  QueueBan,
  QueueDetails,
  QueueSummary,
  storedText,
  recordKey,
} from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows, millisecondsOf } from './listing-rows';
import { Projection, projectionOf } from './projection';

/** A game is in the list of all games. */
export function projectGame({ id, document }: ContentOf<'game'>): Projection {
  const listings = new ListingRows().add('games', { owner: '', sort: document.order, id });
  return projectionOf(storedText(Game, document), { listings: listings.rows });
}

/** A matchmaking is in the list of its game, which can be filtered by region. */
export function projectMatchmaking({ id, document }: ContentOf<'matchmaking'>): Projection {
  const { game, region, name, league_id } = document;
  const item: MatchmakingListItem = { game, has_league: league_id !== '', id: document.id, name, region };
  const listings = new ListingRows().add('matchmakingsOfGame', { owner: game, filters: [region], id });
  return projectionOf(storedText(Matchmaking, document), {
    summary: storedText(MatchmakingListItem, item),
    listings: listings.rows,
  });
}

/** A queue is in the lists of its entity, where only its organizer may see it, and of its region. */
export function projectQueue({ id, document }: ContentOf<'queue'>): Projection {
  const { game, entityId, entityType, organizerId, region } = document;
  const listings = new ListingRows()
    .add('queuesOfEntity', { owner: recordKey(game, entityType, entityId), filters: [organizerId], id })
    .add('queuesOfRegion', { owner: recordKey(game, region), id });
  return projectionOf(storedText(QueueDetails, document), {
    summary: storedText(QueueSummary, queueSummary(document)),
    listings: listings.rows,
  });
}

/** A ban is in the list of its queue. */
export function projectQueueBan({ id, document }: ContentOf<'queue-ban'>): Projection {
  const listings = new ListingRows().add('bansOfQueue', {
    owner: document.queueId,
    sort: millisecondsOf(document.banStart),
    id,
  });
  return projectionOf(storedText(QueueBan, document), { listings: listings.rows });
}

function queueSummary(queue: QueueDetails): QueueSummary {
  return {
    entityId: queue.entityId,
    entityType: queue.entityType,
    game: queue.game,
    id: queue.id,
    lastModified: queue.lastModified,
    open: queue.open,
    organizerId: queue.organizerId,
    queueName: queue.queueName,
    region: queue.region,
    state: queue.state,
  };
}
