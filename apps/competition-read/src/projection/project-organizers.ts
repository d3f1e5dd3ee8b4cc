import { Organizer, OrganizerSearchItem, storedText } from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import type { Projection } from './projection';
import { projectionOf } from './projection-of';
import { searchName } from './search-name';

/** An organizer is found by name, and has a list of games. Its summary is what a search shows of it beside competitions. */
export function projectOrganizer({ id, document, beside }: ContentOf<'organizer'>): Projection {
  const { name, type, avatar, organizer_id } = document;
  const listings = new ListingRows();
  if (name !== '') listings.add('organizersByName', { owner: name, id });
  for (const [index, game] of [...new Set(beside.games)].entries())
    if (game !== '') listings.add('gamesOfOrganizer', { owner: id, sort: index, id: game });
  const { active, partner, countries, games, regions } = beside;
  const item: OrganizerSearchItem = { active, avatar, countries, games, name, organizer_id, partner, regions };
  return projectionOf(storedText(Organizer, document), {
    summary: JSON.stringify({ organizer_name: name, organizer_type: type }),
    listings: listings.rows,
    names: searchName('organizer', { id, name, tags: [], body: storedText(OrganizerSearchItem, item) }),
  });
}
