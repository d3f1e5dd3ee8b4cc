import {
  ClanSearchItem,
  CompetitionSearchItem,
  OrganizerSearchItem,
  PlayerSearchItem,
  TeamSearchItem,
} from '@podium/messages';
import { tag as tagOf } from '../../search/search-name';
import { paging } from '../arguments/page-bounds';
import { searchText, word } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf } from './replies';
import { filterOf, typeFilter } from '../arguments/type-filter';

const tag = 'Search';
const description =
  'Exact names first, then names that begin with the text, then names that contain it or are similar.';
const name = searchText('Text to search names for');
const nickname = searchText('Text to search nicknames for');
const game = word('Only those of this game');
const region = word('Only those of this region');

/** Searches by name. */
export const searchRows = [
  read({
    id: 'searchChampionships',
    path: '/search/championships',
    summary: 'Search championships',
    description,
    tag,
    params: {},
    query: { name, game, region, type: typeFilter('championships'), ...paging() },
    reply: pageOf({ CompetitionSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { name, game, region, type, ...args }) =>
      context.search('championship', name, tagsOf({ game, region, type }), args, (items) =>
        context.withOrganizers(items),
      ),
  }),
  read({
    id: 'searchClans',
    path: '/search/clans',
    summary: 'Search clans',
    description,
    tag,
    params: {},
    query: { name, game, region, ...paging() },
    reply: pageOf({ ClanSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { name, game, region, ...args }) => context.search('clan', name, tagsOf({ game, region }), args),
  }),
  read({
    id: 'searchHubs',
    path: '/search/hubs',
    summary: 'Search hubs',
    description,
    tag,
    params: {},
    query: { name, game, region, ...paging() },
    reply: pageOf({ CompetitionSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { name, game, region, ...args }) =>
      context.search('hub', name, tagsOf({ game, region }), args, (items) => context.withOrganizers(items)),
  }),
  read({
    id: 'searchOrganizers',
    path: '/search/organizers',
    summary: 'Search organizers',
    description,
    tag,
    params: {},
    query: { name, ...paging() },
    reply: pageOf({ OrganizerSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { name, ...args }) => context.search('organizer', name, [], args),
  }),
  read({
    id: 'searchPlayers',
    path: '/search/players',
    summary: 'Search players',
    description,
    tag,
    params: {},
    query: { nickname, game, country: word('Only those of this country, ISO 3166-1 code in any case'), ...paging() },
    reply: pageOf({ PlayerSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { nickname, game, country, ...args }) =>
      context.search('player', nickname, tagsOf({ game, country }), args),
  }),
  read({
    id: 'searchTeams',
    path: '/search/teams',
    summary: 'Search teams',
    description,
    tag,
    params: {},
    query: { nickname, game, ...paging() },
    reply: pageOf({ TeamSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { nickname, game, ...args }) => context.search('team', nickname, tagsOf({ game }), args),
  }),
  read({
    id: 'searchTournaments',
    path: '/search/tournaments',
    summary: 'Search tournaments',
    description,
    tag,
    params: {},
    query: { name, game, region, type: typeFilter('tournaments'), ...paging() },
    reply: pageOf({ CompetitionSearchItem }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { name, game, region, type, ...args }) =>
      context.search('tournament', name, tagsOf({ game, region, type }), args, (items) =>
        context.withOrganizers(items),
      ),
  }),
];

function tagsOf(given: {
  game?: string;
  region?: string;
  country?: string;
  type?: Parameters<typeof filterOf>[0];
}): (string | null)[] {
  const { game = '', region = '', country = '', type = 'all' } = given;
  return [tagOf.game(game), tagOf.region(region), tagOf.country(country), tagOf.type(filterOf(type))];
}
