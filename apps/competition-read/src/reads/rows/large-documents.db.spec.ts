import { RunningReads, startReads } from '../../../test/running-reads';
import { sampleChange } from '../../../test/sample';

const mib = 1024 * 1024;
const hubs = Array.from({ length: 24 }, (_, at) => `hub-${String(at).padStart(2, '0')}`);

describe('pages of large documents', () => {
  let running: RunningReads;

  beforeAll(async () => {
    running = await startReads({ documentCacheBytes: 64 * mib });
    await running.apply([
      sampleChange('organizer', { document: { organizer_id: 'large' } }),
      sampleChange('organizer', { document: { organizer_id: 'largest' } }),
    ]);
    const description = 'x'.repeat(mib);
    for (const hub_id of hubs)
      await running.apply([sampleChange('hub', { document: { hub_id, organizer_id: 'large', description } })]);
    const huge = { hub_id: 'huge', organizer_id: 'largest', description: 'x'.repeat(17 * mib) };
    await running.apply([sampleChange('hub', { document: huge })]);
  }, 60_000);
  afterAll(() => running.stop());

  it('are refused when the texts together are more than the process can hold for many, and say what to do', async () => {
    const { status, body } = await running.client.get('/organizers/large/hubs');
    expect([status, (body as { errors: unknown }).errors]).toEqual([
      400,
      [
        {
          message: expect.stringContaining('limit: what this page shows has more than 16 MiB together') as string,
          code: 'err_br0',
          http_status: 400,
          parameters: ['limit'],
        },
      ],
    ]);
  });

  it('are read with a smaller limit', async () => {
    const ids: string[] = [];
    for (let offset = 0; offset < hubs.length; offset += 12) {
      const { status, body } = await running.client.get(`/organizers/large/hubs?offset=${offset}&limit=12`);
      expect(status).toBe(200);
      ids.push(...(body as { items: { hub_id: string }[] }).items.map(({ hub_id }) => hub_id));
    }
    expect(ids).toEqual(hubs);
  });

  it('are refused, too, when their documents are in the cache', async () => {
    const limits = [24, 12, 12, 24, 17];
    const statuses: number[] = [];
    for (const limit of limits)
      statuses.push((await running.client.get(`/organizers/large/hubs?limit=${limit}`)).status);
    expect(statuses).toEqual([400, 200, 200, 400, 400]);
    for (const limit of [12, 24])
      expect((await running.client.get(`/organizers/large/hubs?limit=12&offset=${limit - 12}`)).status).toBe(200);
    expect((await running.client.get('/organizers/large/hubs?limit=24')).status).toBe(400);
  });

  it('are whole where there is no limit to lower', async () => {
    const games = Array.from({ length: 17 }, (_, at) => `game-${at}`);
    const name = 'x'.repeat(mib);
    for (const game_id of games)
      await running.apply([sampleChange('game', { document: { game_id, long_label: name } })]);
    await running.apply([
      sampleChange('organizer', { document: { organizer_id: 'large' }, beside: { games }, revision: 2 }),
    ]);
    const { status, body } = await running.client.get('/organizers/large/games');
    expect([status, (body as { items: unknown[] }).items.length]).toEqual([200, games.length]);
  });

  it('have the lists of a tournament together in them', async () => {
    const lists = ['checked_in', 'finished', 'joined', 'started'] as const;
    await running.apply([sampleChange('tournament', { document: { tournament_id: 'large' } })]);
    for (const [at, list] of lists.entries())
      await running.apply(
        [0, 1, 2, 3, 4].map((team) =>
          sampleChange('tournament-team', {
            document: { team_id: `${list}-${team}`, nickname: 'x'.repeat(mib) },
            // The first team of each list is in all of them.
            beside: { tournament_id: 'large', lists: team === 0 ? [...lists] : [list], joined_at: 5 * at + team },
          }),
        ),
      );
    // A team of a mebibyte has a few bytes more, so that sixteen are too many.
    const statuses: unknown[] = [];
    const limits = [5, 1, 4, 3, 4, 5, 1];
    for (const limit of limits)
      statuses.push([limit, (await running.client.get(`/tournaments/large/teams?limit=${limit}`)).status]);
    expect(statuses).toEqual(limits.map((limit) => [limit, limit > 3 ? 400 : 200]));
    const { body } = await running.client.get('/tournaments/large/teams?limit=2');
    expect(Object.values(body as object).map((teams: unknown[]) => teams.length)).toEqual([2, 2, 2, 2]);
  });

  it('have all games of an organizer, however many', async () => {
    const games = Array.from({ length: 1001 }, (_, at) => `many-${at}`);
    await running.apply(games.map((game_id) => sampleChange('game', { document: { game_id } })));
    await running.apply([sampleChange('organizer', { document: { organizer_id: 'many' }, beside: { games } })]);
    const { body } = await running.client.get('/organizers/many/games');
    const { end, items } = body as { end: number; items: { game_id: string }[] };
    expect([end, items.map(({ game_id }) => game_id)]).toEqual([games.length, games]);
  });

  it('may have one document of any size', async () => {
    const { status, bytes } = await running.client.get('/organizers/largest/hubs?limit=1');
    expect([status, bytes.length > 17 * mib]).toEqual([200, true]);
  });
});
