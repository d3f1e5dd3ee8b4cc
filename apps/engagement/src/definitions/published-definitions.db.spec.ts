import { randomUUID } from 'node:crypto';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { EngineDefinition } from '../evaluation/definition';
import { PublishedDefinitions } from './engine-definition';

const goal = { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100.00' };
const task = {
  platform: 'acme',
  name: 'Deposit 100',
  goal,
  repeat: { once: true },
  reward: { type: 'points', amount: '5' },
};
const condition = { count: { event: 'deposit' }, window: { rolling: 'P30D' }, op: 'gte', value: 3 };
const canonical = { ...condition, count: { event: 'deposit', where: [] }, value: '3' };
const segment = { platform: 'acme', name: 'Active', condition };
const { platform: _platform, ...taskVersion } = task;

describe('definitions of the engine', () => {
  let api: DefinitionsApi;
  const call: DefinitionsApi['call'] = (...request) => api.call(...request);
  const publish: DefinitionsApi['publish'] = (...request) => api.publish(...request);
  const created: DefinitionsApi['created'] = (...request) => api.created(...request);

  beforeAll(async () => {
    api = await startDefinitionsApi();
  });
  afterAll(() => api?.stop());

  it('gives checked definitions to the evaluation unchanged', async () => {
    const id = await created('/segments', segment);
    await publish(`/segments/${id}`);
    const { definitions } = await inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    const loaded = definitions.find(({ definitionId }) => definitionId === id)!;
    expect(loaded).toEqual({
      definitionId: id,
      kind: 'segment',
      platform: 'acme',
      organizerId: 'organizer-1',
      paused: false,
      endedAt: null,
      specs: {},
      versions: [
        {
          version: 1,
          generation: 1,
          inForceFrom: expect.any(Number) as number,
          body: { condition: canonical, zone: 'UTC' },
        },
      ],
    });
    expect(Math.abs(loaded.versions[0].inForceFrom - Date.now() / 1000)).toBeLessThan(60);
    // jsonb does not keep the order of fields, which terms depend on.
    expect(JSON.stringify(loaded.versions[0].body)).toBe(JSON.stringify({ condition: canonical, zone: 'UTC' }));
  });

  it('loads segments on which others depend, although they ended long ago', async () => {
    const id = await created('/segments', segment);
    await publish(`/segments/${id}`);
    const taskId = await created('/tasks', { ...task, eligible: id });
    expect((await publish(`/tasks/${taskId}`)).status).toBe(200);
    await call('POST', `/segments/${id}/end`);
    await queryable(api.pool).query(
      `UPDATE engagement.definitions SET ended_at = now() - interval '50 days' WHERE definition_id = $1`,
      [id],
    );
    const { definitions: loaded } = await inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    expect(loaded.map(({ definitionId }) => definitionId)).toEqual(expect.arrayContaining([id, taskId]));
  });

  it('leave out what cannot be read, which operators find and can end, and give all others', async () => {
    const whole = await created('/segments', segment);
    await publish(`/segments/${whole}`);
    const [segmentId, taskId] = [randomUUID(), randomUUID()];
    const window = { between: ['2026-12-01T00:00:00Z', 'soon'] };
    await insertPublished(segmentId, 'segment', { condition: { of_another_release: true } });
    const ends_at = '2027-01-01T00:00:00.000Z';
    await insertPublished(taskId, 'task', { ...task, goal: { ...goal, window }, starts_at: 'soon', ends_at });
    const load = (): ReturnType<typeof api.store.loadPublished> =>
      inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    const { definitions, unreadable } = await load();
    expect(definitions.map(({ definitionId }) => definitionId)).toEqual(expect.arrayContaining([whole]));
    const leftOut = { platform: 'acme', endedAt: null, reason: expect.any(Error) as Error };
    expect(unreadable).toHaveLength(2);
    expect(unreadable).toEqual(
      expect.arrayContaining([
        { definitionId: segmentId, kind: 'segment', ...leftOut },
        { definitionId: taskId, kind: 'task', ...leftOut },
      ]),
    );
    const on = await created('/segments', { ...segment, condition: { in_segment: segmentId } });
    expect((await publish(`/segments/${on}`)).status).toBe(422);
    expect((await call('GET', '/segments')).json.items).toContainEqual(
      expect.objectContaining({ segment_id: segmentId, condition: { of_another_release: true } }),
    );
    expect((await call('GET', '/tasks')).json.items).toContainEqual(
      expect.objectContaining({ task_id: taskId, goal: { ...goal, window }, starts_at: null, ends_at }),
    );
    expect((await call('POST', `/segments/${segmentId}/end`)).json).toMatchObject({ state: 'ended' });
    expect((await call('POST', `/tasks/${taskId}/end`)).json).toMatchObject({ state: 'ended' });
    const isEnded = expect.any(Number) as number;
    expect((await load()).unreadable).toMatchObject([{ endedAt: isEnded }, { endedAt: isEnded }]);
  });

  it('are read again where they have changed, and only there', async () => {
    const paths = await Promise.all([1, 2, 3].map(async () => `/segments/${await created('/segments', segment)}`));
    for (const path of paths) await publish(path);
    const ofPath = (path: string, { definitions }: PublishedDefinitions): EngineDefinition | undefined =>
      definitions.find(({ definitionId }) => path.endsWith(definitionId));
    const load = (before?: PublishedDefinitions): Promise<PublishedDefinitions> =>
      inTransaction(api.pool, (tx) => api.store.loadPublished(tx, before));
    const first = await load();
    await call('POST', `${paths[1]}/pause`);
    await call('POST', `${paths[2]}/versions`, { name: 'Draft', condition });
    const second = await load(first);
    const same = paths.map((path) => ofPath(path, second) === ofPath(path, first));
    expect(same).toEqual([true, false, true]);
    expect(ofPath(paths[1], second)).toMatchObject({ paused: true });
    expect(second.definitions).toEqual((await load()).definitions);
    expect(second.unreadable.every((each) => first.unreadable.includes(each))).toBe(true);
  });

  it('never publishes a version whose stored body cannot be evaluated', async () => {
    const where = [{ attribute: 'amount', op: 'gte', value: '1' }];
    const id = await created('/segments', { ...segment, condition: { latest: 'deposit', where } });
    await queryable(api.pool).query(
      `UPDATE engagement.definitions SET body = jsonb_set(body, '{condition,where,0,value}', '"ten"')
       WHERE definition_id = $1`,
      [id],
    );
    expect(await publish(`/segments/${id}`)).toMatchObject({
      status: 422,
      json: { error: { message: expect.stringContaining('This segment cannot be evaluated') as string } },
    });
    expect((await call('GET', `/segments/${id}`)).json).toMatchObject({ state: 'draft' });
  });

  it('refuses references to segments that are drafts, have ended, or depend on the one published', async () => {
    const id = await created('/segments', segment);
    const on = await created('/segments', { ...segment, condition: { in_segment: id } });
    const refusal = async (segmentId: string): Promise<string> =>
      (await publish(`/segments/${segmentId}`)).json.error.message;
    expect(await refusal(on)).toContain('names no segment of this platform that has been published');
    await publish(`/segments/${id}`);
    expect((await publish(`/segments/${on}`)).status).toBe(200);
    await call('POST', `/segments/${id}/versions`, { name: 'Cycle', condition: { not: { in_segment: on } } });
    expect(await refusal(id)).toContain('condition.not.in_segment: names a segment that depends on this one');
    await call('POST', `/segments/${on}/end`);
    const third = await created('/segments', { ...segment, condition: { in_segment: on } });
    expect(await refusal(third)).toContain('names a segment that has ended');
  });

  it('reads definitions of the release before, and shows bounds as times', async () => {
    const id = await created('/tasks', task);
    await publish(`/tasks/${id}`);
    const legacy = { goal, repeat: { every: 2 }, starts_at: '2026-12-01T01:00:00+01:00', reward: task.reward };
    await queryable(api.pool).query(
      `INSERT INTO engagement.definitions (definition_id, version, kind, platform, organizer_id, name, body, attribute_types,
         state, created_by, created_at)
       VALUES ($1, 2, 'task', 'acme', 'organizer-1', 'legacy', $2, '{"deposit":{"amount":"decimal"}}', 'draft', 'op', now())`,
      [id, legacy],
    );
    const { versions } = (await call('GET', `/tasks/${id}`)).json as unknown as { versions: object[] };
    expect(versions[1]).toMatchObject({
      goal: { value: '100' },
      repeat: { every: '2' },
      max_per_user: 100_000,
      starts_at: '2026-12-01T00:00:00.000Z',
    });
    const window = { between: ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'] };
    const dated = await call('POST', `/tasks/${id}/versions`, { ...taskVersion, goal: { ...goal, window } });
    expect((dated.json as unknown as { versions: object[] }).versions[2]).toMatchObject({
      goal: { window: { between: ['2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z'] } },
    });
  });

  /** As a restore leaves what another release has published. */
  async function insertPublished(definitionId: string, kind: string, body: object): Promise<void> {
    await queryable(api.pool).query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_by, published_at, counts_from, in_force_from)
       VALUES ($1, 1, 1, $2, 'acme', 'organizer-1', 'of another release', $3, '{}', 'published', 'op', now(), 'op', now(), now(), 1)`,
      [definitionId, kind, body],
    );
  }
});
