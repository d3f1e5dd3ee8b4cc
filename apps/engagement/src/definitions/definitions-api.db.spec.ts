import { inTransaction, queryable } from '@podium/runtime/postgres';
import { Answer, DefinitionsApi, inDays, startDefinitionsApi } from '../../test/definitions-api';

const goal = { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '100.00' };
const task = {
  platform: 'acme',
  name: 'Deposit 100',
  goal,
  repeat: { once: true },
  reward: { type: 'points', amount: '5' },
};
const condition = { count: { event: 'deposit' }, window: { rolling: 'P30D' }, op: 'gte', value: 3 };
const segment = { platform: 'acme', name: 'Active', condition };
const { platform: _platform, ...taskVersion } = task;

describe("the operators' API of definitions", () => {
  let api: DefinitionsApi;
  const call: DefinitionsApi['call'] = (...request) => api.call(...request);
  const publish: DefinitionsApi['publish'] = (...request) => api.publish(...request);
  const created: DefinitionsApi['created'] = (...request) => api.created(...request);

  beforeAll(async () => {
    api = await startDefinitionsApi();
  });
  afterAll(() => api?.stop());

  const published = async (): Promise<{ epoch: string; ids: string[] }> =>
    inTransaction(api.pool, async (tx) => ({
      epoch: await api.store.readEpoch(tx),
      ids: (await api.store.loadPublished(tx)).definitions.flatMap(({ definitionId, versions }) =>
        versions.map(({ version }) => `${definitionId}/${version}`),
      ),
    }));

  it('moves a task from draft to published, replaced, paused, resumed and ended', async () => {
    const id = await created('/tasks', task);
    const draft = await call('GET', `/tasks/${id}`);
    expect(draft.json).toMatchObject({
      task_id: id,
      platform: 'acme',
      organizer_id: 'organizer-1',
      state: 'draft',
      version: 1,
      generation: null,
      in_force_from: null,
      goal: { ...goal, sum: { event: 'deposit', where: [] }, value: '100' },
      repeat: { once: true },
      zone: 'UTC',
      max_per_user: 1,
      claw_back: 'none',
      max_per_event: 10,
      created_by: 'operator-1',
    });
    const before = await published();
    expect(before.ids).not.toContain(`${id}/1`);

    const first = await publish(`/tasks/${id}`);
    expect(first).toMatchObject({
      status: 200,
      json: { state: 'published', generation: 1, published_by: 'operator-2' },
    });
    const inForceFrom = Math.floor(Date.parse(first.json.published_at) / 1000) * 1000;
    expect(first.json.in_force_from).toBe(new Date(inForceFrom).toISOString());
    const after = await published();
    expect(after.ids).toContain(`${id}/1`);
    expect(after.epoch).not.toBe(before.epoch);

    const renamed = await call('POST', `/tasks/${id}/versions`, {
      ...taskVersion,
      name: 'Renamed',
      claw_back: 'always',
    });
    expect(renamed).toMatchObject({
      status: 201,
      json: { version: 1, versions: [{ version: 1 }, { version: 2, state: 'draft' }] },
    });
    const second = await publish(`/tasks/${id}`, { version: 2 });
    expect(second.json).toMatchObject({
      version: 2,
      name: 'Renamed',
      generation: 1,
      versions: [{ state: 'replaced', ended_at: second.json.in_force_from }, { state: 'published' }],
    });

    await call('POST', `/tasks/${id}/versions`, { ...taskVersion, goal: { ...goal, value: '200' } });
    expect((await call('POST', `/tasks/${id}/pause`)).json.state).toBe('paused');
    expect(await publish(`/tasks/${id}`)).toMatchObject({
      status: 422,
      json: { error: { message: expect.stringContaining('in_force_from: must lie after') as string } },
    });
    const third = await publish(`/tasks/${id}`, { in_force_from: inDays(300) });
    expect(third.json).toMatchObject({ version: 3, generation: 2, state: 'paused' });
    expect((await published()).ids.filter((each) => each.startsWith(id))).toEqual([`${id}/1`, `${id}/2`, `${id}/3`]);
    expect((await call('POST', `/tasks/${id}/resume`)).json.state).toBe('published');
    const ended = (await call('POST', `/tasks/${id}/end`)).json;
    expect(ended.state).toBe('ended');
    expect(Date.parse(ended.ended_at) % 600_000).toBe(0);
    expect(Date.parse(ended.ended_at) - Date.now()).toBeGreaterThan(590_000);
    const { definitions: afterEnd } = await inTransaction(api.pool, (tx) => api.store.loadPublished(tx));
    expect(afterEnd.find(({ definitionId }) => definitionId === id)).toMatchObject({
      paused: false,
      endedAt: Date.parse(ended.ended_at) / 1000,
    });
    const muchLater = Date.parse(ended.ended_at) / 1000 + 56 * 86_400;
    const { definitions: laterOn } = await inTransaction(api.pool, (tx) =>
      api.store.loadPublished(tx, undefined, muchLater),
    );
    expect(laterOn.map(({ definitionId }) => definitionId)).not.toContain(id);
    for (const path of ['publish', 'resume', 'end'])
      expect(await call('POST', `/tasks/${id}/${path}`, {})).toMatchObject({
        status: 409,
        json: { error: { code: 'conflict', message: 'This task has ended; create a new one.' } },
      });

    const { rows } = await queryable(api.pool).query(
      'SELECT action, operator_id, organizer_id FROM engagement.audit WHERE subject = $1 ORDER BY audit_id',
      [id],
    );
    expect(rows.map((row) => row.action as string)).toEqual([
      'task.created',
      'task.published',
      'task.version_added',
      'task.published',
      'task.version_added',
      'task.paused',
      'task.published',
      'task.resumed',
      'task.ended',
    ]);
    expect(rows[0]).toMatchObject({ operator_id: 'operator-1', organizer_id: 'organizer-1' });
  });

  it('does not publish while a batch uses the published definitions', async () => {
    const id = await created('/segments', segment);
    const order: string[] = [];
    let publishing: Promise<unknown> = Promise.resolve();
    await inTransaction(api.pool, async (tx) => {
      const epoch = await api.store.readEpoch(tx);
      publishing = publish(`/segments/${id}`).then(() => order.push('published'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await api.store.readEpoch(tx)).toBe(epoch);
      order.push('batch done');
    });
    await publishing;
    expect(order).toEqual(['batch done', 'published']);
  });

  it('never changes published versions, enforced by the database too', async () => {
    const id = await created('/tasks', task);
    await publish(`/tasks/${id}`);
    await expect(
      queryable(api.pool).query(`UPDATE engagement.definitions SET body = '{}' WHERE definition_id = $1`, [id]),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it('publishes once when two operators do it at the same time', async () => {
    const id = await created('/tasks', task);
    const answers = await Promise.all([1, 2, 3].map(() => publish(`/tasks/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('publishes no version that the approver does not state, while there is another one', async () => {
    const path = `/tasks/${await created('/tasks', task)}`;
    const unstated = { version: undefined };
    const refused = (newest: number): object => {
      const message = `version: state the version that you have read; the newest draft is version ${newest}.`;
      return { status: 409, json: { error: { code: 'conflict', message } } };
    };
    await call('POST', `${path}/versions`, { ...taskVersion, reward: { type: 'points', amount: '5000' } });
    expect(await publish(path, unstated)).toMatchObject(refused(2));
    expect(await publish(path, { version: 3 })).toMatchObject({ status: 422 });
    expect((await publish(path, { version: 2 })).json).toMatchObject({ state: 'published', version: 2 });
    expect((await publish(path, unstated)).json.error.message).toContain('version 2 is published');
    // The only draft, and another one than an approver has read who wanted to publish version 2.
    await call('POST', `${path}/versions`, { ...taskVersion, reward: { type: 'points', amount: '9000' } });
    expect(await publish(path, unstated)).toMatchObject(refused(3));
    expect((await call('GET', path)).json).toMatchObject({ version: 2 });
    expect((await publish(path, { version: 3 })).status).toBe(200);
  });

  it('is published by an approver who did not write the version', async () => {
    const path = `/tasks/${await created('/tasks', task)}`;
    const publishAs = async (operatorId: string, role: string | string[]): Promise<[number, string | undefined]> => {
      const { status, json } = await call('POST', `${path}/publish`, {}, { 'organizer-1': role }, operatorId);
      return [status, json.error?.message];
    };
    expect(await publishAs('operator-2', 'admin')).toEqual([403, expect.stringContaining('role approver')]);
    expect(await publishAs('operator-1', ['admin', 'approver'])).toEqual([
      403,
      'You wrote version 1; another operator with the role approver must approve it.',
    ]);
    expect((await call('GET', path)).json).toMatchObject({ state: 'draft', published_by: null });
    expect((await publishAs('operator-2', 'approver'))[0]).toBe(200);
    const added = await call('POST', `${path}/versions`, taskVersion, { 'organizer-1': 'editor' }, 'operator-2');
    expect(added.status).toBe(201);
    const version2 = { version: 2 };
    const refused = await call('POST', `${path}/publish`, version2, { 'organizer-1': 'approver' }, 'operator-2');
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } });
    const second = await call('POST', `${path}/publish`, version2, { 'organizer-1': 'approver' }, 'operator-1');
    expect(second).toMatchObject({ status: 200, json: { version: 2, published_by: 'operator-1' } });
  });

  it('pages through what an operator may see, newest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await created('/segments', { ...segment, name: `Segment ${i}` }));
    const foreign = await call('POST', '/segments', { ...segment, platform: 'other' }, { 'organizer-2': 'editor' });
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Answer = await call('GET', `/segments?limit=2&platform=acme&cursor=${cursor}`, undefined, {
        'organizer-1': 'viewer',
      });
      expect(page.status).toBe(200);
      seen.push(...page.json.items.map((item) => item.segment_id as string));
      cursor = page.json.next_cursor as string | null;
    } while (cursor !== null);
    expect(seen.slice(0, 3)).toEqual(ids.reverse());
    expect(new Set(seen).size).toBe(seen.length);
    const all = (await call('GET', '/segments?limit=100', undefined, { 'organizer-1': 'viewer' })).json.items;
    expect(all.map((item) => item.segment_id)).not.toContain(foreign.json.segment_id);
  });

  it.each([
    ['abc', 'not JSON'],
    [Buffer.from('[9007199254740000,"x"]').toString('base64url'), 'not ours'],
    [Buffer.from('[8640000000000001,"00000000-0000-4000-8000-000000000000"]').toString('base64url'), 'no date'],
  ])('refuses the cursor %s (%s)', async (cursor) => {
    expect(await call('GET', `/tasks?cursor=${cursor}`)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_request' } },
    });
  });

  it('requires the role for the organizer of the platform', async () => {
    const id = await created('/tasks', task);
    const viewer = { 'organizer-1': 'viewer' };
    const stranger = { 'organizer-2': 'admin' };
    expect((await call('POST', '/tasks', task, viewer)).status).toBe(403);
    expect((await call('POST', '/tasks', task, stranger)).status).toBe(422);
    expect((await call('GET', `/tasks/${id}`, undefined, viewer)).status).toBe(200);
    expect((await call('GET', `/tasks/${id}`, undefined, stranger)).status).toBe(404);
    for (const path of ['versions', 'publish', 'pause', 'resume', 'end']) {
      const body = path === 'versions' ? taskVersion : {};
      expect([path, (await call('POST', `/tasks/${id}/${path}`, body, viewer)).status]).toEqual([path, 403]);
      expect([path, (await call('POST', `/tasks/${id}/${path}`, body, stranger)).status]).toEqual([path, 404]);
    }
    expect((await call('GET', `/tasks/${id}`, undefined, { '*': 'viewer' })).status).toBe(200);
    expect((await api.app.inject({ method: 'GET', url: '/admin/v1/tasks' })).statusCode).toBe(401);
  });

  it.each<[string, object, number, string]>([
    ['/tasks', { ...task, platform: 'nobody' }, 422, 'platform: '],
    ['/tasks', { ...task, goal: undefined }, 400, 'goal'],
    ['/tasks', { ...task, goal: { min: {} } }, 400, 'goal.min.event: '],
    ['/tasks', { ...task, budget: { total: 0 } }, 400, 'budget.total: '],
    ['/tasks', { ...task, eligible: 'x' }, 400, 'eligible'],
    ['/tasks', { ...task, zone: 'Riga' }, 400, 'zone: '],
    ['/tasks', { ...task, claw_back: 'never' }, 400, 'claw_back'],
    ['/tasks', { ...task, reward: { type: 'points', amount: '1e3' } }, 400, 'reward.amount'],
    ['/tasks', { ...task, reward: { type: 'points', amount: '0.00' } }, 400, 'reward.amount'],
    ['/tasks', { ...task, reward: undefined }, 400, 'reward'],
    ['/tasks', { ...task, max_per_user: 0 }, 400, 'max_per_user'],
    ['/tasks', { ...task, surprise: 1 }, 400, 'surprise'],
    ['/tasks', { ...task, name: ' ' }, 400, 'name'],
    ['/segments', { ...segment, condition: 'x' }, 400, 'condition'],
    [
      '/segments',
      { ...segment, condition: { count: { event: 'bet' }, window: { lifetime: true }, op: 'gte', value: 1 } },
      422,
      'condition.count.event: ',
    ],
    ['/segments/00000000-0000-4000-8000-000000000000/publish', {}, 404, ''],
    ['/segments/1/publish', {}, 404, ''],
  ])('answers %s %j with %i and the place', async (path, body, status, message) => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining(message)]);
  });
});
