import { HubMember, HubPlayerStats, HubRole, HubRules, StoredHub, storedText, expandedFields } from '@podium/messages';
import { hubSearchItem } from './competition-search-items';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName, tag } from '../search/search-name';
import { withoutAdded } from './without-added';

/** A hub is in the list of its organizer. */
export function projectHub({ id, document }: ContentOf<'hub'>): Projection {
  const { organizer_id, name, game_id, region } = document;
  const listings = new ListingRows().add('hubsOfOrganizer', { owner: organizer_id, id });
  const tags = [tag.game(game_id), tag.region(region)];
  return projectionOf(storedText(StoredHub, withoutAdded(document, expandedFields)), {
    listings: listings.rows,
    names: searchName('hub', { id, name, tags, body: hubSearchItem(document) }),
  });
}

/** A membership adds the member to the list of the hub, and the hub to the list of the player. */
export function projectHubMember({ id, document, beside }: ContentOf<'hub-member'>): Projection {
  const { hub_id, joined_at } = beside;
  const listings = new ListingRows()
    .add('membersOfHub', { owner: hub_id, sort: joined_at, id })
    .add('hubsOfPlayer', { owner: document.user_id, sort: joined_at, id: hub_id });
  return projectionOf(storedText(HubMember, document), { listings: listings.rows });
}

/** A role is in the list of its hub, ordered by rank. */
export function projectHubRole({ id, document, beside }: ContentOf<'hub-role'>): Projection {
  const listings = new ListingRows().add('rolesOfHub', { owner: beside.hub_id, sort: document.ranking, id });
  return projectionOf(storedText(HubRole, document), { listings: listings.rows });
}

/** The rules of a hub are read by the hub's id and are in no list. */
export function projectHubRules({ document }: ContentOf<'hub-rules'>): Projection {
  return projectionOf(storedText(HubRules, document));
}

/** A player's statistics in a hub are in the statistics of the hub. */
export function projectHubPlayerStats({ id, document, beside }: ContentOf<'hub-player-stats'>): Projection {
  const listings = new ListingRows().add('statsOfHub', { owner: beside.hub_id, id });
  return projectionOf(storedText(HubPlayerStats, document), { listings: listings.rows });
}
