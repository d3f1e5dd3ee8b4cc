import { ClanSearchItem, Team, TeamSearchItem, TeamStats, storedText } from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName, tag } from '../search/search-name';

/** A team is in the lists of its members, and is found by its nickname, or by its name when it has none. */
export function projectTeam({ id, document, beside }: ContentOf<'team'>): Projection {
  const { game, name, nickname, members } = document;
  const listings = new ListingRows();
  for (const { user_id } of members) listings.add('teamsOfPlayer', { owner: user_id, id });
  const item: TeamSearchItem = {
    avatar: document.avatar ?? '',
    chat_room_id: document.chat_room_id,
    platform_url: document.platform_url ?? '',
    game,
    name,
    team_id: document.team_id,
    verified: beside.verified,
  };
  return projectionOf(storedText(Team, document), {
    listings: listings.rows,
    names: searchName('team', {
      id,
      name: nickname === '' ? name : nickname,
      tags: [tag.game(game)],
      body: storedText(TeamSearchItem, item),
    }),
  });
}

/** Statistics of a team in a game are read by these two ids and are in no list. */
export function projectTeamStats({ document }: ContentOf<'team-stats'>): Projection {
  return projectionOf(storedText(TeamStats, document));
}

/** A clan is only found by search. */
export function projectClan({ id, document }: ContentOf<'clan'>): Projection {
  const { name, game, region } = document;
  const body = storedText(ClanSearchItem, document);
  return projectionOf(body, {
    names: searchName('clan', { id, name, tags: [tag.game(game), tag.region(region)], body }),
  });
}
