import { recordKey } from '@podium/messages';
import { Value } from '@sinclair/typebox/value';
import { sampleChange, deletionOf } from '../../../test/sample';
import { RunningReads, startReads } from '../../../test/running-reads';
import { finishedAt, smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { strictly } from '../../../test/strictly';
import type { ReadRow } from './read-row';
import { readRows } from './read-rows';

type Items = { start: number; end: number; items: Record<string, unknown>[] };

const table = readRows.map((row) => [row.id, row] as const);
const [player, second] = world.players;
/** Half an hour after the last match. */
const nowMs = (finishedAt + 1800) * 1000;

describe('reads of a small world', () => {
  let running: RunningReads;

  beforeAll(async () => {
    running = await startReads({
      scopes: [{ scope: 'data:read' }, { scope: 'queues:developer', game_ids: [world.game] }],
      now: () => nowMs,
    });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  const get = async (path: string) => {
    const { status, body } = await running.client.get(path);
    return { status, body: body as Items & Record<string, unknown> };
  };
  const itemsOf = async (path: string, field: string) => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    return body.items.map((item) => item[field]);
  };

  it.each(table)('%s finds something, and it is what the reply says', async (id, row) => {
    const { status, body } = await get(requests[id]);
    expect(status).toBe(200);
    expect([...Value.Errors(strictly(row.reply.schema), body)].map(({ path, message }) => [path, message])).toEqual([]);
    if ('items' in body) expect(body.items).not.toEqual([]);
  });

  it.each(table)('%s answers 404 for each id that names nothing, 400 for what is no number', async (_, row) => {
    for (const [name, { schema }] of Object.entries(row.params)) {
      const unknown = schema.type === 'integer' ? '999' : 'nobody';
      expect([name, (await get(withParameter(row, name, unknown))).status]).toEqual([name, statusFor(row, name)]);
      if (schema.type !== 'integer') continue;
      for (const text of ['x', '-1', '1.5', '2147483648'])
        expect(await get(withParameter(row, name, text))).toMatchObject({
          status: 400,
          body: { errors: [{ code: 'err_br0', http_status: 400, parameters: [name] }] },
        });
    }
  });

  it.each(table)('%s answers 400 for arguments out of their bounds, and names them', async (id, row) => {
    const request = requests[id];
    const refused = Object.entries(row.query).flatMap(([name, { schema, required }]) => [
      ...(schema.maximum === undefined ? [] : [`${schema.maximum + 1}`, '-1', '01', '1e0'].map((text) => [name, text])),
      ...(schema.enum || schema.items || schema.type === 'boolean' ? [[name, 'other']] : []),
      ...(schema.type === 'string' && !schema.enum ? [[name, '%00']] : []),
      ...(schema.maxLength === undefined ? [] : [[name, 'x'.repeat(schema.maxLength + 1)]]),
      ...(required ? [[name, '']] : []),
    ]);
    for (const [name, text] of refused)
      expect([name, text, await get(withArgument(request, name, text))]).toMatchObject([
        name,
        text,
        { status: 400, body: { errors: [{ parameters: [name] }] } },
      ]);
  });

  it('answers an empty page past the end, and for a game or region that is not known', async () => {
    for (const path of [
      '/games?offset=50',
      '/championships?game=nothing&offset=50&limit=10',
      '/tournaments?game=nothing&offset=50&limit=10',
      '/tournaments?region=ZZ&offset=50&limit=10',
      '/search/players?nickname=night-owl&game=nothing&offset=50&limit=10',
      '/games/cs2/matchmakings?region=ZZ&offset=50&limit=10',
      `/players/${player}/history?game=nothing&offset=50&limit=10`,
      '/rankings/games/cs2/regions/US?offset=50&limit=10',
      '/games/cs2/regions/US/queues?offset=50&limit=10',
    ]) {
      const { status, body } = await get(path);
      expect([path, status, body.items, body.start, body.end - body.start]).toEqual([
        path,
        200,
        [],
        50,
        path.includes('limit') ? 10 : 20,
      ]);
    }
  });

  it('answers an empty page past the end where the game does not name the region, or is gone', async () => {
    const game = (revision: number, regions: string[]) =>
      running.apply([sampleChange('game', { document: { game_id: 'cs2', regions }, revision })]);
    await game(2, []);
    for (const path of [
      '/rankings/games/cs2/regions/EU?offset=50',
      '/rankings/games/cs2/regions/EU?offset=50&country=de',
      '/rankings/games/cs2/regions/EU?offset=50&country=zz',
      '/games/cs2/regions/EU/queues?offset=50',
    ])
      expect([path, await get(path)]).toMatchObject([path, { status: 200, body: { items: [], start: 50 } }]);
    for (const path of ['/rankings/games/cs2/regions/nowhere?offset=50', '/games/cs2/regions/nowhere/queues?offset=50'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    await running.apply([deletionOf('game', 'cs2', 3)]);
    const stats = `/players/${player}/games/cs2/stats`;
    for (const path of [`${stats}?offset=50`, `${stats}?offset=50&from=${nowMs}`])
      expect([path, await get(path)]).toMatchObject([path, { status: 200, body: { items: [], start: 50 } }]);
    expect((await get(`/players/${second}/games/cs2/stats`)).status).toBe(404);
    await game(4, ['EU', 'US']);
  });

  it('ranks nobody in a leaderboard or season that does not exist', async () => {
    const [leaderboard, season] = [requests.getPlayerRankingInLeaderboard, requests.getPlayerForLeagueSeason];
    for (const path of [leaderboard, season]) expect((await get(path)).status).toBe(200);
    await running.apply([
      deletionOf('leaderboard', world.leaderboards.general, 2),
      deletionOf('league-season', recordKey(world.league, '2'), 2),
    ]);
    for (const path of [leaderboard, season]) expect((await get(path)).status).toBe(404);
    await running.apply(
      smallWorld()
        .filter(({ type }) => /competition.(leaderboard|league-season).changed/.test(type))
        .map((change) => ({ ...change, revision: 3 })),
    );
  });

  it('puts organizer and game in where they are asked for', async () => {
    const path = `/championships/${world.championship}`;
    const [organizer, game] = [(await get(`/organizers/${world.organizer}`)).body, (await get('/games/cs2')).body];
    const plain = (await get(path)).body;
    expect(plain).not.toHaveProperty('organizer_data');
    expect((await get(`${path}?expanded=organizer`)).body).toEqual({ ...plain, organizer_data: organizer });
    expect((await get(`${path}?expanded=game&expanded=organizer`)).body).toEqual({
      ...plain,
      organizer_data: organizer,
      game_data: game,
    });
  });

  it('orders and filters lists as they are decided', async () => {
    const ids = async (path: string, field: string) => (await itemsOf(path, field)).map((id) => String(id).at(-1));
    expect(await ids('/championships?game=cs2', 'championship_id')).toEqual(['3', '2', '1']);
    expect(await ids('/championships?game=cs2&type=past', 'championship_id')).toEqual(['2']);
    expect(await ids(`/organizers/podium/championships`, 'championship_id')).toEqual(['2', '1']);
    expect(await ids(`/organizers/podium/championships?publishedOnly=false`, 'championship_id')).toEqual([
      '3',
      '2',
      '1',
    ]);
    expect(await ids(`/organizers/podium/championships?sort=+createdAt`, 'championship_id')).toEqual(['1', '2']);
    expect(await ids(`/hubs/${world.hub}/matches?type=ongoing`, 'match_id')).toEqual(['5']);
    expect(await ids(`/championships/${world.championship}/matches`, 'match_id')).toEqual(['1', '2', '3']);
    expect(await ids(`/organizers/podium/tournaments`, 'tournament_id')).toEqual(['2']);
    expect(await ids(`/organizers/podium/tournaments?type=past`, 'tournament_id')).toEqual(['1']);
    expect(await ids(`/hubs/${world.hub}/members`, 'user_id')).toEqual(['1', '3', '5', '2', '4']);
    expect(await itemsOf('/organizers/podium/games', 'game_id')).toEqual(['cs2', 'cs2_sea']);
  });

  it('gives all games of an organizer with their number as end', async () => {
    expect((await get('/organizers/podium/games')).body).toMatchObject({ start: 0, end: 2 });
    expect((await get('/organizers/rival/games')).body).toMatchObject({ start: 0, end: 0, items: [] });
  });

  it('looks a player up by nickname, or by game and id there, exactly', async () => {
    for (const query of ['nickname=night-owl', 'game=cs2&game_player_id=steam-0', 'nickname=night-owl&game=dota2'])
      expect(await get(`/players?${query}`)).toMatchObject({ status: 200, body: { player_id: player } });
    for (const query of ['nickname=Night-Owl', 'nickname=night', 'game=cs2&game_player_id=steam-9'])
      expect((await get(`/players?${query}`)).status).toBe(404);
    for (const query of ['', 'game=cs2', 'game_player_id=steam-0', 'nickname=&game=cs2&game_player_id=undefined'])
      expect(await get(`/players?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ parameters: ['nickname', 'game', 'game_player_id'] }] },
      });
  });

  it('gives a history of the month before now, or between from and to, with what it used', async () => {
    const path = `/players/${player}/history?game=cs2`;
    expect((await get(path)).body).toMatchObject({ from: Date.UTC(2025, 11, 1, 0, 30) / 1000, to: finishedAt + 1800 });
    expect(await itemsOf(path, 'finished_at')).toEqual([0, 1, 2, 3, 4].map((hour) => finishedAt - hour * 3600));
    const between = `&from=${finishedAt - 3 * 3600}&to=${finishedAt - 3600}`;
    expect(await itemsOf(path + between, 'finished_at')).toEqual([1, 2, 3].map((hour) => finishedAt - hour * 3600));
    expect((await get(path + between)).body).toMatchObject({ from: finishedAt - 3 * 3600, to: finishedAt - 3600 });
    expect((await get(`${path}&to=5`)).body).toMatchObject({
      from: Date.UTC(2025, 11, 1, 0, 30) / 1000,
      to: 5,
      items: [],
    });
    for (const [name, at] of [
      ['to', 5],
      ['from', finishedAt + 7200],
    ] as const) {
      const { headers } = await running.client.get(`${path}&${name}=${at}&offset=20`);
      const [, back] = /^<\/data\/v4(.*)>; rel="prev"$/.exec(headers.link) ?? [];
      expect(await get(back)).toMatchObject({ status: 200, body: { [name]: at, items: [] } });
    }
  });

  it('bounds statistics over matches by milliseconds, both ends included', async () => {
    const path = `/players/${player}/games/cs2/stats`;
    const endMs = finishedAt * 1000;
    expect((await get(`${path}?from=${endMs}&to=${endMs}`)).body.items).toMatchObject([
      { stats: { 'Match Finished At': endMs, Kills: '21', Map: 'Mirage' } },
    ]);
    for (const query of [`from=${endMs + 1}`, `to=${endMs - 1}`])
      expect((await get(`${path}?${query}`)).body.items).toEqual([]);
    expect((await get(`/players/${player}/games/cs2_sea/stats`)).status).toBe(200);
  });

  it('counts positions inside the country, in any case', async () => {
    const path = '/rankings/games/cs2/regions/EU';
    expect(await itemsOf(`${path}?offset=3&limit=1`, 'position')).toEqual([4]);
    for (const country of ['fr', 'FR'])
      expect((await get(`${path}?country=${country}`)).body.items).toMatchObject([
        { position: 1, player_id: world.players[3], country: 'fr' },
        { position: 2, player_id: world.players[4] },
      ]);
    expect((await get(`${path}?country=xx`)).body.items).toEqual([]);
  });

  it.each([
    [0, 1, 1, 1],
    [2, 1, 3, 3],
    [2, 2, 3, 4],
    [2, 3, 2, 4],
    [2, 4, 2, 5],
    [0, 3, 1, 3],
    [4, 3, 3, 5],
    [1, 20, 1, 5],
  ])('shows player %i in a window of %i: from %i to %i', async (index, limit, start, end) => {
    const { body } = await get(`/rankings/games/cs2/regions/EU/players/${world.players[index]}?limit=${limit}`);
    expect(body).toMatchObject({ start, end, position: index + 1 });
    expect(body.items.map(({ position }) => position)).toEqual(
      Array.from({ length: end - start + 1 }, (_, place) => start + place),
    );
  });

  it('has the leaderboard beside its ranking, the group’s and the season’s own', async () => {
    for (const [name, path] of [
      ['group', `/leaderboards/championships/${world.championship}/groups/1`],
      ['general', `/leaderboards/hubs/${world.hub}/general`],
      ['season', `/leaderboards/hubs/${world.hub}/seasons/3`],
    ] as const) {
      const { body } = await get(`${path}?offset=1&limit=2`);
      expect(body).toMatchObject({ start: 1, end: 3, leaderboard: { leaderboard_id: world.leaderboards[name] } });
      expect(body.items.map(({ position, points }) => [position, points])).toEqual([
        [2, 999],
        [3, 998],
      ]);
    }
  });

  it('pages the players of hub statistics, and each list of a tournament’s teams', async () => {
    expect((await get(`/hubs/${world.hub}/stats?offset=1&limit=1`)).body).toEqual({
      game_id: 'cs2',
      players: [expect.objectContaining({ player_id: second })],
    });
    const { body } = await get(`/tournaments/${world.tournament}/teams?offset=1&limit=1`);
    expect(body).toMatchObject({
      joined: [{ nickname: 'team-1' }],
      checked_in: [{ nickname: 'team-1' }],
      finished: [],
      started: [],
    });
  });

  it('completes found competitions by their organizers', async () => {
    for (const path of [
      '/search/championships?name=Winter',
      '/search/hubs?name=Night',
      '/search/tournaments?name=Spring',
    ])
      expect((await get(path)).body.items[0]).toMatchObject({
        organizer_name: 'Podium Cups',
        organizer_type: 'organization',
      });
    expect((await get('/search/championships?name=Winter&type=past&game=cs2&region=EU')).body.items).toHaveLength(1);
    expect(await itemsOf('/search/players?nickname=night-owl&country=fR', 'country')).toEqual(['FR', 'FR']);
  });

  it('shows a change at once, and nothing of what is gone', async () => {
    const path = `/matches/${world.match}`;
    const list = `/championships/${world.championship}/matches`;
    const before = await get(path);
    const change = {
      match_id: world.match,
      competition_type: 'championship',
      competition_id: world.championship,
      status: 'CANCELLED',
      scheduled_at: finishedAt,
    };
    await running.apply([sampleChange('match', { document: change, revision: 2 })]);
    expect(await itemsOf(list, 'status')).toEqual(['CANCELLED', 'ONGOING', 'FINISHED']);
    expect((await get(path)).body).not.toEqual(before.body);
    await running.apply([sampleChange('match', { document: { ...change, status: 'READY' }, revision: 3 })]);
    expect((await get(path)).body).toMatchObject({ status: 'READY' });
    expect(await itemsOf(list, 'status')).toEqual(['READY', 'ONGOING', 'FINISHED']);
    await running.apply([deletionOf('match', world.match, 4)]);
    expect((await get(path)).status).toBe(404);
    expect(await itemsOf(list, 'status')).toEqual(['ONGOING', 'FINISHED']);
    await running.apply([sampleChange('match', { document: change, revision: 5 })]);
    expect((await get(path)).status).toBe(200);
  });

  it('has a parent of regional games only, also if a game names itself', async () => {
    await running.apply([sampleChange('game', { document: { game_id: 'dota2', parent_game_id: 'dota2' } })]);
    expect((await get('/games/cs2_sea/parent')).body).toMatchObject({ game_id: 'cs2' });
    for (const id of ['cs2', 'dota2']) expect([id, (await get(`/games/${id}/parent`)).status]).toEqual([id, 404]);
  });

  it('leaves out of a list what is not there, and has no list of an owner that is not there', async () => {
    const gone = 'b0000000-0000-4000-8000-000000000009';
    const document = { user_id: player };
    await running.apply([
      sampleChange('hub-member', { document, beside: { hub_id: gone, joined_at: finishedAt + 9 } }),
    ]);
    expect((await get(`/hubs/${gone}/members`)).status).toBe(404);
    expect(await itemsOf(`/players/${player}/hubs`, 'hub_id')).toEqual([world.hub]);
  });
});

/** Regions that a game does not have name nothing; any other parameter is an id. */
function statusFor(row: ReadRow, name: string): number {
  // The key is a developer's of one game.
  return name === 'game_id' && row.scope !== 'data:read' ? 403 : 404;
}

function withParameter(row: ReadRow, name: string, value: string): string {
  const [path, query = ''] = requests[row.id].split('?');
  const parts = row.path.split('/');
  const at = parts.indexOf(`{${name}}`);
  return `${path
    .split('/')
    .map((part, index) => (index === at ? value : part))
    .join('/')}?${query}`;
}

function withArgument(request: string, name: string, value: string): string {
  const [path, query = ''] = request.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
  return `${path}?${[...kept, `${name}=${value}`].join('&')}`;
}
