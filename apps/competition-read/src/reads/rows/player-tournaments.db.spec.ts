import { recordKey } from '@podium/messages';
import { deletionOf, sampleChange } from '../../../test/sample';
import { RunningReads, startReads } from '../../../test/running-reads';

describe('the tournaments of a player whom two teams of a tournament name', () => {
  const path = '/players/p1/tournaments';
  let running: RunningReads;

  /** A team that the player joined a tournament with, at a Unix second. */
  const joined = (tournament_id: string, team_id: string, joined_at: number) =>
    sampleChange('tournament-team', {
      document: { team_id },
      beside: { tournament_id, lists: ['joined'], player_ids: ['p1'], joined_at },
    });

  beforeAll(async () => {
    running = await startReads();
    await running.apply([
      sampleChange('player', { document: { player_id: 'p1' } }),
      ...['spring', 'summer', 'winter'].map((tournament_id) =>
        sampleChange('tournament', { document: { tournament_id } }),
      ),
      joined('spring', 'red', 100),
      joined('summer', 'red', 200),
      joined('winter', 'red', 300),
      joined('spring', 'blue', 250),
    ]);
  });
  afterAll(() => running.stop());

  async function page(at: string): Promise<{ ids: string[]; next: string | undefined }> {
    const { body, headers } = await running.client.get(at);
    const { items } = body as { items: { tournament_id: string }[] };
    const [, next] = /<\/data\/v4([^>]*)>; rel="next"/.exec(headers.link ?? '') ?? [];
    return { ids: items.map(({ tournament_id }) => tournament_id), next };
  }

  it('have each tournament once, by the team that joined it last', async () => {
    expect((await page(path)).ids).toEqual(['winter', 'spring', 'summer']);
  });

  it('have each tournament once over pages, by cursor and by offset', async () => {
    const byCursor: string[] = [];
    for (let next: string | undefined = `${path}?limit=1`; next !== undefined;) {
      const seen: Awaited<ReturnType<typeof page>> = await page(next);
      byCursor.push(...seen.ids);
      next = seen.next;
    }
    const byOffset = await Promise.all([0, 1, 2, 3].map((offset) => page(`${path}?limit=1&offset=${offset}`)));
    expect(byCursor).toEqual(['winter', 'spring', 'summer']);
    expect(byOffset.map(({ ids }) => ids)).toEqual([['winter'], ['spring'], ['summer'], []]);
  });

  it('keep a tournament until its last team with the player is gone', async () => {
    await running.apply([deletionOf('tournament-team', recordKey('spring', 'blue'), 2)]);
    expect((await page(path)).ids).toEqual(['winter', 'summer', 'spring']);
    await running.apply([deletionOf('tournament-team', recordKey('spring', 'red'), 2)]);
    expect((await page(path)).ids).toEqual(['winter', 'summer']);
  });
});
