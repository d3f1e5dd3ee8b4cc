import { Hub, HubMember, HubRole, HubRules, HubStats, Match } from '@podium/messages';
import { listed } from '../answers/answer';
import { storedDocument } from '../queries/documents.queries';
import { ids } from '../arguments/path-parameters';
import { hubPageBounds, paging } from '../arguments/page-bounds';
import { flags } from '../arguments/query-parameters';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { found } from '../context/not-found';
import { pageOf, shape } from './replies';
import { filterOf, typeFilter } from '../arguments/type-filter';

const tag = 'Hubs';
const params = { hub_id: ids.hub_id };

/** Hubs, their matches, members, roles, statistics and rules. */
export const hubRows = [
  read({
    id: 'getHub',
    path: '/hubs/{hub_id}',
    summary: 'Hub details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ Hub }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { hub_id, expanded }) => context.expandedDocument('hub', hub_id, expanded),
  }),
  // jscpd:ignore-start -- a row declares all of its operation, also where another resource has one like it
  read({
    id: 'getHubMatches',
    path: '/hubs/{hub_id}/matches',
    summary: 'Matches of a hub',
    description: 'Latest start first.',
    tag,
    params,
    query: { type: typeFilter('matches'), ...paging() },
    reply: pageOf({ Match }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { hub_id, type, ...args }) =>
      context.matchesOf({ kind: 'hub', id: hub_id }, filterOf(type), args),
  }),
  // jscpd:ignore-end
  read({
    id: 'getHubMembers',
    path: '/hubs/{hub_id}/members',
    summary: 'Members of a hub',
    description: 'Earliest member first.',
    tag,
    params,
    query: paging(hubPageBounds),
    reply: pageOf({ HubMember }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { hub_id, ...args }) => context.listOf('membersOfHub', { kind: 'hub', id: hub_id }, args),
  }),
  read({
    id: 'getHubRoles',
    path: '/hubs/{hub_id}/roles',
    summary: 'Roles of a hub',
    description: 'In the order of their ranking.',
    tag,
    params,
    query: paging(hubPageBounds),
    reply: pageOf({ HubRole }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { hub_id, ...args }) => context.listOf('rolesOfHub', { kind: 'hub', id: hub_id }, args),
  }),
  read({
    id: 'getHubStats',
    path: '/hubs/{hub_id}/stats',
    summary: 'Statistics of a hub',
    description: 'offset and limit apply to players.',
    tag,
    params,
    query: paging(),
    reply: shape({ HubStats }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: async (context, { hub_id, ...args }) => {
      const hub = found(await storedDocument(context.db, context.tables, 'hub', hub_id), 'no hub with this id');
      const game = JSON.stringify(hub.value.game_id);
      return context.list({ list: 'statsOfHub', owner: hub_id, filter: '' }, null, args, {
        bodyOf: (players) => [`{"game_id":${game},"players":[`, ...listed(players), ']}'],
      });
    },
  }),
  read({
    id: 'getHubRules',
    path: '/hubs/{hub_id}/rules',
    summary: 'Rules of a hub',
    tag,
    params,
    query: {},
    reply: shape({ HubRules }),
    cacheS: cacheSeconds.reference,
    scope: 'data:read',
    answer: (context, { hub_id }) => context.document('hub-rules', hub_id, { kind: 'hub', id: hub_id }),
  }),
];
