import * as fc from 'fast-check';
import { deletionOf, sampleChange } from '../../../test/sample';
import { RunningReads, startReads } from '../../../test/running-reads';
import { finishedAt, smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { readRows } from '../rows/read-rows';

const [player] = world.players;
const history = `/players/${player}/history?game=cs2`;

describe('answers that are asked for again', () => {
  let running: RunningReads;
  let nowMs = (finishedAt + 1800) * 1000;

  beforeAll(async () => {
    running = await startReads({
      scopes: [{ scope: 'data:read' }, { scope: 'queues:developer', game_ids: [world.game] }],
      now: () => nowMs,
    });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  const outcomes = async (): Promise<Record<string, number>> => {
    const { values } = await running.registry.getSingleMetric('competition_read_answers_total')!.get();
    const counted = values.map(({ labels, value }) => [String(labels.outcome), value] as const);
    return { kept: 0, changed: 0, new: 0, ...Object.fromEntries(counted) };
  };
  /** How often each outcome came while `work` ran. */
  const outcomesOf = async (work: () => Promise<void>): Promise<Record<string, number>> => {
    const before = await outcomes();
    await work();
    return Object.fromEntries(Object.entries(await outcomes()).map(([name, count]) => [name, count - before[name]]));
  };

  it('are made two times and kept from then on, until something changes', async () => {
    const path = `/championships/${world.championship}`;
    const ask = async (): Promise<void> => void (await running.client.get(path));
    expect(await outcomesOf(ask)).toEqual({ kept: 0, changed: 0, new: 1 });
    expect(await outcomesOf(ask)).toEqual({ kept: 0, changed: 1, new: 0 });
    expect(await outcomesOf(ask)).toEqual({ kept: 1, changed: 0, new: 0 });
    await running.apply([sampleChange('team', { document: { team_id: world.team, name: 'Other' }, revision: 50 })]);
    for (let time = 0; time < 2; time++) expect(await outcomesOf(ask)).toEqual({ kept: 0, changed: 1, new: 0 });
    expect(await outcomesOf(ask)).toEqual({ kept: 1, changed: 0, new: 0 });
  });

  it('are kept after two requests at the same time, too', async () => {
    const path = `/hubs/${world.hub}/members`;
    const ask = async (): Promise<void> => void (await running.client.get(path));
    await ask();
    await running.apply([sampleChange('team', { document: { team_id: world.team, name: 'Other' }, revision: 51 })]);
    await ask();
    await running.apply([sampleChange('team', { document: { team_id: world.team, name: 'Other' }, revision: 52 })]);
    const bothAsk = async (): Promise<void> => void (await Promise.all([ask(), ask()]));
    expect(await outcomesOf(bothAsk)).toEqual({ kept: 0, changed: 2, new: 0 });
    expect(await outcomesOf(ask)).toEqual({ kept: 1, changed: 0, new: 0 });
  });

  it('take no memory while something changes between two requests', async () => {
    const path = `/hubs/${world.hub}`;
    const keptBytes = async (): Promise<number> => {
      const { values } = await running.registry.getSingleMetric('competition_read_answers_kept_bytes')!.get();
      return values[0].value;
    };
    await running.client.get(path);
    const document = { team_id: world.team, name: 'Other' };
    const sizes: number[] = [];
    for (let revision = 61; revision < 64; revision++) {
      await running.apply([sampleChange('team', { document, revision })]);
      await running.client.get(path);
      sizes.push(await keptBytes());
    }
    expect(sizes[1]).toBeLessThan(sizes[0]);
    expect(sizes[2]).toBe(sizes[1]);
  });

  it('are the same bytes, packed or not, with the same headers', async () => {
    const path = '/championships?game=cs2&limit=3';
    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': encoding };
      const [first, second, third] = [1, 2, 3].map(() => running.client.get(path, { headers }));
      const fresh = await first;
      for (const again of [await second, await third]) {
        expect(again.bytes.equals(fresh.bytes)).toBe(true);
        expect({ ...again.headers, date: '' }).toEqual({ ...fresh.headers, date: '' });
      }
    }
  });

  it('are for callers with the scope alone', async () => {
    const path = `/players/${player}`;
    for (let time = 0; time < 3; time++) await running.client.get(path);
    const other = [{ scope: 'queues:developer', game_ids: [world.game] }] as const;
    expect((await running.client.get(path, { scopes: other as never })).status).toBe(403);
  });

  it('are kept for the second that they are of, when they depend on the time', async () => {
    const ask = async (): Promise<void> => {
      expect((await running.client.get(history)).body).toMatchObject({ to: Math.floor(nowMs / 1000) });
    };
    await ask();
    await ask();
    for (let time = 0; time < 3; time++) {
      nowMs += 1000;
      for (let request = 0; request < 2; request++)
        expect(await outcomesOf(ask)).toEqual({ kept: 0, changed: 1, new: 0 });
      nowMs += 300;
      expect(await outcomesOf(ask)).toEqual({ kept: 1, changed: 0, new: 0 });
    }
  });

  it('are never other than those of a server that keeps none, whatever changes in between', async () => {
    const forgetful = await running.alike({ answerCacheBytes: 1 });
    const paths = readRows.filter(({ scope }) => scope === 'data:read').map(({ id }) => requests[id]);
    let revision = 1000;
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...paths).map((path) => ({ path })) },
      { weight: 1, arbitrary: fc.constantFrom('match', 'player', 'gone').map((change) => ({ change })) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        for (const each of steps) {
          if ('change' in each) await change(each.change);
          else
            for (let time = 0; time < 3; time++) {
              const [kept, made] = await Promise.all([running.client.get(each.path), forgetful.get(each.path)]);
              expect([each.path, kept.status, kept.headers.etag]).toEqual([each.path, made.status, made.headers.etag]);
              expect(kept.bytes.equals(made.bytes)).toBe(true);
            }
        }
      }),
      { numRuns: 12 },
    );

    async function change(what: string): Promise<void> {
      revision += 1;
      const document = { match_id: world.match, competition_type: 'hub', competition_id: world.hub };
      const changes = {
        match: () => sampleChange('match', { document: { ...document, scheduled_at: revision }, revision }),
        player: () =>
          sampleChange('player', { document: { player_id: player, nickname: `owl-${revision}` }, revision }),
        gone: () => deletionOf('match', world.match, revision),
      };
      await running.apply([changes[what as keyof typeof changes]()]);
    }
  }, 120_000);
});
