import { changedDocument, recordKey } from '@podium/messages';
import {
  ListName,
  contentOf,
  globalBoard,
  leaderboardBoard,
  leagueBoard,
  project,
} from '../../../apps/competition-read/test/projection';
import { worldChanges } from './changes';
import { showcaseOf } from './showcase';
import { WorldOptions } from './options';

const nowS = 1_792_540_800;
const monthS = 28 * 86_400;

describe.each([
  { players: 200, matches: 100, seed: 1, nowS },
  { players: 1_234, matches: 400, seed: 99, nowS: nowS + 12_345 },
])('the showcase of a world: %j', (options: WorldOptions) => {
  const showcase = showcaseOf(options.seed);
  const { gameId, region, organizer, championship, hub, league, tournament, player, team } = showcase;
  const world = projected(options);
  const ofHub = recordKey('hub', hub.id);
  const ofChampionship = recordKey('championship', championship.id);
  const ofMatchmaking = recordKey(gameId, 'matchmaking', showcase.matchmakingId);

  it.each<[ListName, string, string, number]>([
    ['championshipsOfGame', gameId, '', 4],
    ['championshipsOfGame', gameId, 'upcoming', 1],
    ['championshipsOfGame', gameId, 'ongoing', 1],
    ['championshipsOfGame', gameId, 'past', 1],
    ['matchesOfCompetition', ofChampionship, '', 8],
    ['matchesOfCompetition', ofChampionship, 'upcoming', 1],
    ['matchesOfCompetition', ofChampionship, 'ongoing', 4],
    ['matchesOfCompetition', ofChampionship, 'past', 4],
    ['matchesOfCompetition', ofHub, '', 8],
    ['matchesOfCompetition', ofHub, 'upcoming', 1],
    ['matchesOfCompetition', ofHub, 'ongoing', 4],
    ['matchesOfCompetition', ofHub, 'past', 4],
    ['matchesOfCompetition', recordKey('tournament', tournament.id), '', 7],
    ['resultsOfChampionship', championship.id, '', 1],
    ['subscriptionsOfChampionship', championship.id, '', 8],
    ['games', '', '', 5],
    ['matchmakingsOfGame', gameId, '', 5],
    ['matchmakingsOfGame', gameId, region, 1],
    ['queuesOfEntity', ofMatchmaking, '', 2],
    ['queuesOfEntity', ofMatchmaking, organizer.id, 2],
    ['queuesOfRegion', recordKey(gameId, region), '', 3],
    ['bansOfQueue', showcase.queueId, '', 25],
    ['membersOfHub', hub.id, '', 40],
    ['hubsOfPlayer', player.id, '', 3],
    ['rolesOfHub', hub.id, '', 3],
    ['statsOfHub', hub.id, '', 40],
    ['leaderboards', ofHub, '', 4],
    ['leaderboards', ofHub, 'general', 1],
    ['leaderboards', ofHub, `season:${hub.season}`, 1],
    ['leaderboards', ofChampionship, '', 4],
    ['leaderboards', ofChampionship, `group:${championship.group}`, 1],
    ['championshipsOfOrganizer', organizer.id, '', 5],
    ['championshipsOfOrganizer', organizer.id, 'published', 4],
    ['organizersByName', organizer.name, '', 1],
    ['gamesOfOrganizer', organizer.id, '', 5],
    ['hubsOfOrganizer', organizer.id, '', 1],
    ['tournamentsOfOrganizer', organizer.id, 'past', 3],
    ['tournamentsOfOrganizer', organizer.id, 'upcoming', 3],
    ['tournaments', '', '', 8],
    ['tournaments', gameId, region, 6],
    ['playersByNickname', player.nickname, '', 1],
    ['playersByGameId', recordKey(gameId, player.gamePlayerId), '', 1],
    ['bansOfPlayer', player.id, '', 3],
    ['historyOfPlayer', player.id, gameId, 9],
    ['matchStatsOfPlayer', player.id, gameId, 9],
    ['teamsOfPlayer', player.id, '', 2],
    ['tournamentsOfPlayer', player.id, '', 6],
    ['tournamentsOfTeam', team.id, '', 6],
    ['teamsOfTournament', tournament.id, 'checked_in', 8],
    ['teamsOfTournament', tournament.id, 'finished', 8],
    ['teamsOfTournament', tournament.id, 'joined', 8],
    ['teamsOfTournament', tournament.id, 'started', 8],
  ])('has %s of %s, filter "%s": at least %i', (list, owner, filter, least) => {
    expect(world.listed(list, owner, filter).length).toBeGreaterThanOrEqual(least);
  });

  it('has an unpublished championship and a history in the last month', () => {
    const all = world.listed('championshipsOfOrganizer', organizer.id, '').length;
    expect(world.listed('championshipsOfOrganizer', organizer.id, 'published').length).toBeLessThan(all);
    const recent = world
      .listed('historyOfPlayer', player.id, gameId)
      .filter(({ sort }) => sort > options.nowS - monthS);
    expect(recent.length).toBeGreaterThanOrEqual(8);
  });

  it.each([
    globalBoard(gameId, region),
    globalBoard(gameId, region, player.country),
    leaderboardBoard(showcase.leaderboardId),
    leagueBoard(league.id, league.season),
    leagueBoard(league.id, league.season - 1),
  ])('ranks the player in %s among others', (board) => {
    const ranked = world.boards.get(board) ?? [];
    expect(ranked).toContain(player.id);
    expect(ranked.length).toBeGreaterThan(board.split(':').length === 4 ? 0 : 10);
  });

  it.each([
    ['championship', championship.name, championship.id],
    ['hub', hub.name, hub.id],
    ['tournament', tournament.name, tournament.id],
    ['clan', showcase.clan.name, showcase.clan.id],
    ['organizer', organizer.name, organizer.id],
    ['player', player.nickname, player.id],
  ])('finds the %s %s', (kind, name, id) => {
    expect(world.names).toContainEqual([kind, name, id]);
  });

  it.each([
    ['game', showcase.childGameId],
    ['hub-rules', hub.id],
    ['league', league.id],
    ['league-season', recordKey(league.id, String(league.season))],
    ['match', showcase.matchId],
    ['match-stats', showcase.matchId],
    ['matchmaking', showcase.matchmakingId],
    ['player-stats', recordKey(player.id, gameId)],
    ['queue', showcase.queueId],
    ['team', team.id],
    ['team-stats', recordKey(team.id, gameId)],
    ['tournament-brackets', tournament.id],
  ])('has a %s %s', (kind, id) => {
    expect(world.ids).toContain(`${kind} ${id}`);
  });

  it('has the player in the match, the organizer of the queue and the parent of the child game', () => {
    expect(world.bodyOf('match-stats', showcase.matchId)).toContain(player.id);
    expect(world.bodyOf('queue', showcase.queueId)).toContain(`"organizerId":"${organizer.id}"`);
    expect(world.bodyOf('game', showcase.childGameId)).toContain(`"parent_game_id":"${gameId}"`);
  });
});

/** The data of a world that the read service would return. */
function projected(options: WorldOptions) {
  const lists = new Map<string, { id: string; sort: number }[]>();
  const boards = new Map<string, string[]>();
  const names: [string, string, string][] = [];
  const bodies = new Map<string, string>();
  for (const change of [...worldChanges(options)].flat()) {
    const content = contentOf(change);
    if (content === null) throw new Error('a world has no deletions');
    const { kind, id } = changedDocument(change);
    const projection = project(content);
    bodies.set(`${kind} ${id}`, projection.body);
    for (const row of projection.listings) push(lists, `${row.list} ${row.owner} ${row.filter}`, row);
    for (const { board, playerId } of projection.boards) push(boards, board, playerId);
    for (const name of projection.names) names.push([name.kind, name.name, name.id]);
  }
  return {
    boards,
    names,
    ids: [...bodies.keys()],
    bodyOf: (kind: string, id: string) => bodies.get(`${kind} ${id}`),
    listed: (list: ListName, owner: string, filter: string) => lists.get(`${list} ${owner} ${filter}`) ?? [],
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
