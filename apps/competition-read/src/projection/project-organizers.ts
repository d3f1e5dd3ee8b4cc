import { Organizer, OrganizerSearchItem, storedText } from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName } from '../search/search-name';

/** An organizer is read by name, and has a list of games. Its short form is what searches of competitions show. */
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
