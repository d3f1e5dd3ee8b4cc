import {
  ChampionshipResult,
  ChampionshipSubscription,
  StoredChampionship,
  storedText,
  expandedFields,
} from '@podium/messages';
import { championshipSearchItem } from './competition-search-items';
import type { ContentOf } from './document-content';
import { ListingRows, millisecondsOf } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName, tag } from '../search/search-name';
import { typeClass } from './type-class';
import { withoutAdded } from './without-added';

/** A championship is in the list of its game, filtered by status, and of its organizer, filtered by published state. */
export function projectChampionship({ id, document, beside }: ContentOf<'championship'>): Projection {
  const { game_id, organizer_id, region, name } = document;
  const type = typeClass('championship', document.status);
  const listings = new ListingRows()
    .add('championshipsOfGame', { owner: game_id, filters: [type], sort: document.championship_start, id })
    .add('championshipsOfOrganizer', {
      owner: organizer_id,
      filters: beside.published ? ['published'] : [],
      sort: millisecondsOf(beside.created_at),
      id,
    });
  const tags = [tag.game(game_id), tag.region(region), tag.type(type)];
  return projectionOf(storedText(StoredChampionship, withoutAdded(document, expandedFields)), {
    listings: listings.rows,
    names: searchName('championship', { id, name, tags, body: championshipSearchItem(document) }),
  });
}

/** A placement range is in the list of its championship, best placement first. */
export function projectChampionshipResult({ id, document, beside }: ContentOf<'championship-result'>): Projection {
  const listings = new ListingRows().add('resultsOfChampionship', {
    owner: beside.championship_id,
    sort: document.bounds.left,
    id,
  });
  return projectionOf(storedText(ChampionshipResult, document), { listings: listings.rows });
}

/** A subscription is in the list of its championship, ordered by group. */
export function projectChampionshipSubscription(content: ContentOf<'championship-subscription'>): Projection {
  const { id, document, beside } = content;
  const listings = new ListingRows().add('subscriptionsOfChampionship', {
    owner: beside.championship_id,
    sort: document.group,
    id,
  });
  return projectionOf(storedText(ChampionshipSubscription, document), { listings: listings.rows });
}
