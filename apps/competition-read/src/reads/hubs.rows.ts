import { Hub, HubMember, HubRole, HubRules, HubStats, Match, recordKey } from '@podium/messages';
import { listed } from './answer';
import { hubGameJson } from './documents.queries';
import { ids } from './path-parameters';
import { flags, paging } from './query-parameters';
import { read } from './read-row';
import { found } from './reads';
import { pageOf, shape } from './replies';
import { filterOf, typeFilter } from './type-filter';

const tag = 'Hubs';
const params = { hub_id: ids.hub_id };

/** Hubs and what belongs to one. */
export const hubRows = [
  read({
    id: 'getHub',
    path: '/hubs/{hub_id}',
    summary: 'Hub details',
    tag,
    params,
    query: { expanded: flags(['organizer', 'game'], 'Adds organizer_data, game_data') },
    reply: shape({ Hub }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { hub_id, expanded }) => reads.expandedDocument('hub', hub_id, expanded),
  }),
  read({
    id: 'getHubMatches',
    path: '/hubs/{hub_id}/matches',
    summary: 'Matches of a hub',
    description: 'Latest start first.',
    tag,
    params,
    query: { type: typeFilter('matches'), ...paging() },
    reply: pageOf({ Match }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { hub_id, type, ...args }) =>
      reads.list(
        { list: 'matchesOfCompetition', owner: recordKey('hub', hub_id), filter: filterOf(type) },
        { kind: 'hub', id: hub_id },
        args,
      ),
  }),
  read({
    id: 'getHubMembers',
    path: '/hubs/{hub_id}/members',
    summary: 'Members of a hub',
    description: 'Who joined first stands first.',
    tag,
    params,
    query: paging({ max: 50, default: 50, maxOffset: 1000 }),
    reply: pageOf({ HubMember }),
    cacheS: 10,
    scope: 'data:read',
    answer: (reads, { hub_id, ...args }) =>
      reads.list({ list: 'membersOfHub', owner: hub_id, filter: '' }, { kind: 'hub', id: hub_id }, args),
  }),
  read({
    id: 'getHubRoles',
    path: '/hubs/{hub_id}/roles',
    summary: 'Roles of a hub',
    description: 'In the order of their ranking.',
    tag,
    params,
    query: paging({ max: 50, default: 50, maxOffset: 1000 }),
    reply: pageOf({ HubRole }),
    cacheS: 30,
    scope: 'data:read',
    answer: (reads, { hub_id, ...args }) =>
      reads.list({ list: 'rolesOfHub', owner: hub_id, filter: '' }, { kind: 'hub', id: hub_id }, args),
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
    cacheS: 30,
    scope: 'data:read',
    answer: async (reads, { hub_id, ...args }) => {
      const game = found(await hubGameJson(reads.db, reads.tables, hub_id), 'no hub of this id');
      return reads.list({ list: 'statsOfHub', owner: hub_id, filter: '' }, null, args, {
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
    cacheS: 60,
    scope: 'data:read',
    answer: (reads, { hub_id }) => reads.document('hub-rules', hub_id),
  }),
];
