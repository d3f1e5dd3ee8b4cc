import {
  ClanSearchItem,
  CompetitionSearchItem,
  OrganizerSearchItem,
  PlayerSearchItem,
  TeamSearchItem,
} from '@podium/messages';
import { tag as tagOf } from '../projection/search-name';
import { paging, searchText, word } from './query-parameters';
import { read } from './read-row';
import { pageOf } from './replies';
import { filterOf, typeFilter } from './type-filter';

const tag = 'Search';
const description = 'Names that are the text stand first, then those that begin with it, then the others.';
const name = searchText('What the name is to be like');
const nickname = searchText('What the nickname is to be like');
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { name, game, region, type, ...args }) =>
      reads.search('championship', name, tagsOf({ game, region, type }), args, (items) => reads.withOrganizers(items)),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { name, game, region, ...args }) => reads.search('clan', name, tagsOf({ game, region }), args),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { name, game, region, ...args }) =>
      reads.search('hub', name, tagsOf({ game, region }), args, (items) => reads.withOrganizers(items)),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { name, ...args }) => reads.search('organizer', name, [], args),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { nickname, game, country, ...args }) =>
      reads.search('player', nickname, tagsOf({ game, country }), args),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { nickname, game, ...args }) => reads.search('team', nickname, tagsOf({ game }), args),
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
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { name, game, region, type, ...args }) =>
      reads.search('tournament', name, tagsOf({ game, region, type }), args, (items) => reads.withOrganizers(items)),
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
