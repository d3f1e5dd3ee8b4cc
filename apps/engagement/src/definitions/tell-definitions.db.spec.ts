import { DefinitionData, topics } from '@podium/messages';
import { DefinitionsApi, startDefinitionsApi } from '../../test/definitions-api';
import { tellWaitingDefinitions } from './tell-definitions';

const condition = { count: { event: 'deposit' }, window: { rolling: 'P30D' }, op: 'gte', value: 3 };
const segment = { platform: 'acme', name: 'Active', condition };
const { platform: _platform, ...version } = segment;
const task = {
  ...{ platform: 'acme', name: 'Every deposit' },
  goal: { count: { event: 'deposit' }, op: 'gte', value: 1 },
  ...{ repeat: { every: '1' }, max_per_user: 10, reward: { type: 'points', amount: '1' }, budget: { total: '10' } },
};

describe('published definitions', () => {
  let api: DefinitionsApi;

  beforeAll(async () => {
    api = await startDefinitionsApi();
  });
  afterAll(() => api?.stop());
  beforeEach(() => api.pool.query('TRUNCATE engagement.outbox, engagement.definitions, engagement.told_definitions'));

  it('are whole after each change by an operator, once', async () => {
    const id = await api.created('/segments', segment);
    expect(await newest()).toMatchObject({
      ...{ definition_id: id, kind: 'segment', platform: 'acme', organizer_id: 'organizer-1', raised_budget: null },
      versions: [{ version: 1, state: 'draft', generation: null, name: 'Active', created_by: 'operator-1' }],
      audit: [{ operator_id: 'operator-1', action: 'segment.created' }],
    });
    await api.publish(`/segments/${id}`);
    await api.call('POST', `/segments/${id}/versions`, { ...version, name: 'More active' });
    await api.publish(`/segments/${id}`);
    await api.call('POST', `/segments/${id}/pause`);
    await api.call('POST', `/segments/${id}/pause`);
    expect(await newest()).toMatchObject({
      versions: [
        { version: 1, state: 'replaced', generation: 1, published_by: 'operator-2' },
        { version: 2, state: 'paused', name: 'More active', ended_at: null },
      ],
    });
    expect(await actions()).toEqual([
      ...['segment.created', 'segment.published', 'segment.version_added', 'segment.published', 'segment.paused'],
    ]);
    expect(await count()).toBe(5);
    await api.call('POST', `/segments/${id}/resume`);
    await api.call('POST', `/segments/${id}/end`);
    expect(await count()).toBe(7);
    expect(await newest()).toMatchObject({ versions: [{ state: 'replaced' }, { state: 'ended' }] });
    expect(await tellWaitingDefinitions(api.pool, 10)).toBe(0);
  });

  it('have the total to which a budget was raised', async () => {
    const id = await api.created('/tasks', task);
    await api.publish(`/tasks/${id}`);
    const approver = { 'organizer-1': 'approver' };
    for (const total of ['15', '15'])
      expect((await api.call('POST', `/tasks/${id}/budget`, { total }, approver, 'operator-3')).status).toBe(200);
    expect(await newest()).toMatchObject({ raised_budget: { stated_total: '10', total: '15' } });
    expect((await actions()).at(-1)).toBe('task.budget_raised');
    expect(await count()).toBe(3);
  });

  it('are also those that the release before made or changed, by one of all instances', async () => {
    const ids = [await api.created('/segments', segment), await api.created('/segments', segment)];
    await api.pool.query(`UPDATE engagement.definitions SET name = 'Renamed' WHERE definition_id = $1`, [ids[0]]);
    await api.pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at)
       SELECT gen_random_uuid(), 1, kind, platform, organizer_id, 'Made', body, attribute_types, state, created_by, now()
       FROM engagement.definitions WHERE definition_id = $1`,
      [ids[1]],
    );
    const told = await Promise.all([tellWaitingDefinitions(api.pool, 1), tellWaitingDefinitions(api.pool, 1)]);
    expect(told).toEqual([1, 1]);
    expect(await tellWaitingDefinitions(api.pool, 1)).toBe(0);
    const names = (await published()).slice(2).map(({ versions }) => versions[0].name);
    expect(names.sort()).toEqual(['Made', 'Renamed']);
  });

  it('have a bounded size, also with versions that the release before wrote', async () => {
    const id = await api.created('/segments', segment);
    const { rows } = await api.pool.query<{ body: object }>('SELECT body FROM engagement.definitions');
    await api.pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at)
       SELECT definition_id, number, kind, platform, organizer_id, name, $1, attribute_types, state, created_by, now()
       FROM engagement.definitions CROSS JOIN generate_series(2, 17) AS number WHERE definition_id = $2`,
      [JSON.stringify({ ...rows[0].body, zone: 'x'.repeat(60 * 1024) }), id],
    );
    const published = await count();
    const refused = [
      await api.call('POST', `/segments/${id}/versions`, version),
      await api.publish(`/segments/${id}`, { version: 1 }),
    ];
    for (const { status, json } of refused) {
      expect([status, json.error.code]).toEqual([409, 'conflict']);
      expect(json.error.message).toMatch(
        /^The versions of this segment are too large together, 1\d{3} KiB of at most 1024 KiB with their changes\. Shorten the new version, or end this segment and create a new one\.$/,
      );
    }
    expect(await count()).toBe(published);
  });

  async function published(): Promise<DefinitionData[]> {
    const { rows } = await api.pool.query<{ data: string }>(
      'SELECT data FROM engagement.outbox WHERE topic = $1 ORDER BY id',
      [topics.definitions.name],
    );
    return rows.map(({ data }) => JSON.parse(data) as DefinitionData);
  }

  async function newest(): Promise<DefinitionData> {
    return (await published()).at(-1)!;
  }

  async function actions(): Promise<string[]> {
    return (await newest()).audit.map(({ action }) => action);
  }

  async function count(): Promise<number> {
    return (await published()).length;
  }
});
