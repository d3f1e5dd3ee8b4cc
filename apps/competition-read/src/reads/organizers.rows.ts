import { Championship, Game, Hub, Organizer, TournamentSummary } from '@podium/messages';
import { envelope } from './answer';
import { id } from './path-parameters';
import { bool, oneOf, paging, requiredWord, sortBy } from './query-parameters';
import { read } from './read-row';
import { pageOf, shape } from './replies';

const tag = 'Organizers';
const params = { organizer_id: id('Organizer, a UUID or a word', 'podium') };

/** More games than any organizer has. */
const mostGames = 1000;

/** Organizers and what they run. */
export const organizerRows = [
  read({
    id: 'getOrganizerByName',
    path: '/organizers',
    summary: 'Organizer by name',
    tag,
    params: {},
    query: { name: requiredWord('The whole name, compared exactly') },
    reply: shape({ Organizer }),
    cacheS: 30,
    scope: 'data:read',
    answer: async (reads, { name }) => reads.document('organizer', await reads.firstId('organizersByName', name)),
  }),
  read({
    id: 'getOrganizer',
    path: '/organizers/{organizer_id}',
    summary: 'Organizer details',
    tag,
    params,
    query: {},
    reply: shape({ Organizer }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { organizer_id }) => reads.document('organizer', organizer_id),
  }),
  read({
    id: 'getOrganizerChampionships',
    path: '/organizers/{organizer_id}/championships',
    summary: 'Championships of an organizer',
    tag,
    params,
    query: {
      publishedOnly: bool(true, 'Leaves out what is not published'),
      sort: sortBy('createdAt', 'By creation, ascending or descending'),
      ...paging(),
    },
    reply: pageOf({ Championship }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { organizer_id, publishedOnly, sort, ...args }) =>
      reads.list(
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
    description: 'All of them; end is their number.',
    tag,
    params,
    query: {},
    reply: pageOf({ Game }),
    cacheS: 30,
    scope: 'data:read',
    answer: async (reads, { organizer_id }) => {
      const { items } = await reads.listItems(
        { list: 'gamesOfOrganizer', owner: organizer_id, filter: '', after: null, offset: 0, limit: mostGames },
        { kind: 'organizer', id: organizer_id },
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
    query: paging({ max: 50, default: 50, maxOffset: 1000 }),
    reply: pageOf({ Hub }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { organizer_id, ...args }) =>
      reads.list(
        { list: 'hubsOfOrganizer', owner: organizer_id, filter: '' },
        { kind: 'organizer', id: organizer_id },
        args,
      ),
  }),
  read({
    id: 'getOrganizerTournaments',
    path: '/organizers/{organizer_id}/tournaments',
    summary: 'Tournaments of an organizer',
    description: 'Latest start first.',
    tag,
    params,
    query: {
      type: oneOf(['past', 'upcoming'], 'upcoming', 'past, or upcoming: all that are not past'),
      ...paging(),
    },
    reply: pageOf({ TournamentSummary }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { organizer_id, type, ...args }) =>
      reads.list(
        { list: 'tournamentsOfOrganizer', owner: organizer_id, filter: type },
        { kind: 'organizer', id: organizer_id },
        args,
      ),
  }),
];
