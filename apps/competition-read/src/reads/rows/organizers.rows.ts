import { Championship, Game, Hub, Organizer, TournamentSummary } from '@podium/messages';
import { envelope } from '../answers/answer';
import { id } from '../arguments/path-parameters';
import { hubPageBounds, paging } from '../arguments/page-bounds';
import { bool, oneOf, requiredName, sortBy } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Organizers';
const params = { organizer_id: id('Organizer, a UUID or a word', 'podium') };

/** All of them: there is no next page. */
const allGames = 2 ** 31 - 1;

/** Organizers, their games and competitions. */
export const organizerRows = [
  read({
    id: 'getOrganizerByName',
    path: '/organizers',
    summary: 'Organizer by name',
    tag,
    params: {},
    query: { name: requiredName('The whole name, compared exactly') },
    reply: shape({ Organizer }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: async (context, { name }) => context.document('organizer', await context.firstId('organizersByName', name)),
  }),
  read({
    id: 'getOrganizer',
    path: '/organizers/{organizer_id}',
    summary: 'Organizer details',
    tag,
    params,
    query: {},
    reply: shape({ Organizer }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { organizer_id }) => context.document('organizer', organizer_id),
  }),
  read({
    id: 'getOrganizerChampionships',
    path: '/organizers/{organizer_id}/championships',
    summary: 'Championships of an organizer',
    tag,
    params,
    query: {
      publishedOnly: bool(true, 'Omits unpublished championships'),
      sort: sortBy('createdAt', 'By creation, ascending or descending'),
      ...paging(),
    },
    reply: pageOf({ Championship }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { organizer_id, publishedOnly, sort, ...args }) =>
      context.list(
        {
          list: 'championshipsOfOrganizer',
          owner: organizer_id,
          filter: publishedOnly ? 'published' : '',
          order: sort === '+createdAt' ? 'asc' : 'desc',
        },
        { kind: 'organizer', id: organizer_id },
        args,
      ),
  }),
  read({
    id: 'getOrganizerGames',
    path: '/organizers/{organizer_id}/games',
    summary: 'Games of an organizer',
    description: 'All games on one page; end is their number.',
    tag,
    params,
    query: {},
    reply: pageOf({ Game }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: async (context, { organizer_id }) => {
      const { items } = await context.lists.items(
        { list: 'gamesOfOrganizer', owner: organizer_id, filter: '', after: null, offset: 0, limit: allGames },
        { kind: 'organizer', id: organizer_id },
        // Nobody can ask for fewer.
        Infinity,
      );
      return { body: envelope(0, items.length, items) };
    },
  }),
  read({
    id: 'getOrganizerHubs',
    path: '/organizers/{organizer_id}/hubs',
    summary: 'Hubs of an organizer',
    tag,
    params,
    query: paging(hubPageBounds),
    reply: pageOf({ Hub }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { organizer_id, ...args }) =>
      context.listOf('hubsOfOrganizer', { kind: 'organizer', id: organizer_id }, args),
  }),
  read({
    id: 'getOrganizerTournaments',
    path: '/organizers/{organizer_id}/tournaments',
    summary: 'Tournaments of an organizer',
    description: 'Latest start first.',
    tag,
    params,
    query: {
      type: oneOf(['past', 'upcoming'], 'upcoming', 'past, or upcoming for all others'),
      ...paging(),
    },
    reply: pageOf({ TournamentSummary }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { organizer_id, type, ...args }) =>
      context.list(
        { list: 'tournamentsOfOrganizer', owner: organizer_id, filter: type },
        { kind: 'organizer', id: organizer_id },
        args,
      ),
  }),
];
