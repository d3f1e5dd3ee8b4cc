import { Leaderboard, RankingEntry, recordKey } from '@podium/messages';
import { leaderboardBoard } from '../../rankings/boards';
import { Answer, envelope } from '../answers/answer';
import { id, ids, numberInPath } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { cacheSeconds } from './cache-lifetimes';
import { read } from './read-row';
import { PagingArgs, ReadContext } from '../context/read-context';
import type { Owner } from '../queries/listings.queries';
import { pageOf, shape } from './replies';

const tag = 'Leaderboards';
const leaderboardId = id('Leaderboard, 24 hex characters', '65a1b2c3d4e5f60718293a4b');
const ranking = pageOf({ RankingEntry }, 'LeaderboardRanking', { leaderboard: Leaderboard });

/** Leaderboards of championships and hubs, and their rankings. */
export const leaderboardRows = [
  read({
    id: 'getChampionshipLeaderboards',
    path: '/leaderboards/championships/{championship_id}',
    summary: 'Leaderboards of a championship',
    description: 'Latest start first.',
    tag,
    params: { championship_id: ids.championship_id },
    query: paging(),
    reply: pageOf({ Leaderboard }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { championship_id, ...args }) =>
      context.list(
        { list: 'leaderboards', owner: recordKey('championship', championship_id), filter: '' },
        { kind: 'championship', id: championship_id },
        args,
      ),
  }),
  read({
    id: 'getChampionshipGroupRanking',
    path: '/leaderboards/championships/{championship_id}/groups/{group}',
    summary: 'Group ranking of a championship',
    tag,
    params: { championship_id: ids.championship_id, group: numberInPath('Number of the group') },
    query: paging(),
    reply: ranking,
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { championship_id, group, ...args }) =>
      rankingIn(context, { kind: 'championship', id: championship_id }, `group:${group}`, args),
  }),
  read({
    id: 'getHubLeaderboards',
    path: '/leaderboards/hubs/{hub_id}',
    summary: 'Leaderboards of a hub',
    description: 'Latest start first.',
    tag,
    params: { hub_id: ids.hub_id },
    query: paging(),
    reply: pageOf({ Leaderboard }),
    cacheS: cacheSeconds.details,
    scope: 'data:read',
    answer: (context, { hub_id, ...args }) =>
      context.list(
        { list: 'leaderboards', owner: recordKey('hub', hub_id), filter: '' },
        { kind: 'hub', id: hub_id },
        args,
      ),
  }),
  read({
    id: 'getHubRanking',
    path: '/leaderboards/hubs/{hub_id}/general',
    summary: 'All-time ranking of a hub',
    tag,
    params: { hub_id: ids.hub_id },
    query: paging(),
    reply: ranking,
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { hub_id, ...args }) => rankingIn(context, { kind: 'hub', id: hub_id }, 'general', args),
  }),
  read({
    id: 'getHubSeasonRanking',
    path: '/leaderboards/hubs/{hub_id}/seasons/{season}',
    summary: 'Seasonal ranking of a hub',
    tag,
    params: { hub_id: ids.hub_id, season: numberInPath('Number of the season') },
    query: paging(),
    reply: ranking,
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { hub_id, season, ...args }) =>
      rankingIn(context, { kind: 'hub', id: hub_id }, `season:${season}`, args),
  }),
  read({
    id: 'getLeaderboard',
    path: '/leaderboards/{leaderboard_id}',
    summary: 'Ranking of a leaderboard',
    tag,
    params: { leaderboard_id: leaderboardId },
    query: paging(),
    reply: ranking,
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { leaderboard_id, ...args }) => rankingOf(context, leaderboard_id, args),
  }),
  read({
    id: 'getPlayerRankingInLeaderboard',
    path: '/leaderboards/{leaderboard_id}/players/{player_id}',
    summary: 'Ranking of a player in a leaderboard',
    tag,
    params: { leaderboard_id: leaderboardId, player_id: ids.player_id },
    query: {},
    reply: shape({ RankingEntry }),
    cacheS: cacheSeconds.list,
    scope: 'data:read',
    answer: (context, { leaderboard_id, player_id }) =>
      context.rankedEntry([{ kind: 'leaderboard', id: leaderboard_id }], leaderboardBoard(leaderboard_id), player_id),
  }),
];

/** The ranking of the leaderboard that a filter identifies in a competition, which must exist. */
async function rankingIn(
  context: ReadContext,
  { kind, id }: Owner,
  filter: string,
  paging: PagingArgs,
): Promise<Answer> {
  const [leaderboardId] = await Promise.all([
    context.firstId('leaderboards', recordKey(kind, id), filter),
    context.require(kind, id),
  ]);
  return rankingOf(context, leaderboardId, paging);
}

/** The document and the entries are read at the same time, in one round trip. */
async function rankingOf(context: ReadContext, leaderboardId: string, paging: PagingArgs): Promise<Answer> {
  const [leaderboard, { items, ...page }] = await Promise.all([
    context.documentPart('leaderboard', leaderboardId),
    context.rankingItems(leaderboardBoard(leaderboardId), paging),
  ]);
  const { offset, limit } = page;
  return { body: envelope(offset, offset + limit, items, ',"leaderboard":', leaderboard), page };
}
