import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IntegrationData } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { createHttpAdapter } from '@podium/runtime/app';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { createRegistry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, TestIssuer, freshDatabase } from '@podium/testing';
import { DataSource } from 'typeorm';
import { compileDefinition } from '../evaluation/compiled-definition';
import { migrations, schema } from '../migrations';
import { Catalogue } from './catalogue';
import { Definition } from './definition.entity';
import { DefinitionsService } from './definitions.service';
import { DefinitionsStore } from './definitions.store';
import { SegmentsController } from './segments.controller';
import { TasksController } from './tasks.controller';

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

function integration(platform: string, organizerId: string): IntegrationData {
  return {
    integration_id: platform,
    platform,
    partner: platform,
    organizer_id: organizerId,
    status: 'active',
    contracts: [
      {
        version: 1,
        in_force_from: 0,
        events: [{ name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] }],
      },
    ],
  };
}

interface Answer {
  status: number;
  json: Record<string, never> & { items: Record<string, never>[]; error: { code: string; message: string } };
}

describe("the operators' API of definitions", () => {
  let database: FreshDatabase;
  let pool: Pool;
  let dataSource: DataSource;
  let store: DefinitionsStore;
  let app: NestFastifyApplication;
  let issuer: TestIssuer;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, createRegistry('test'));
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    store = new DefinitionsStore(dataSource);
    const catalogue = new Catalogue();
    catalogue.apply('acme', { data: integration('acme', 'organizer-1') } as never);
    catalogue.apply('other', { data: integration('other', 'organizer-2') } as never);

    issuer = await TestIssuer.start();

    @Module({
      controllers: [SegmentsController, TasksController],
      providers: [
        { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
        {
          provide: BearerTokens,
          useValue: new BearerTokens({
            issuerUrl: issuer.url,
            audience: TestIssuer.audience,
            logger,
            registry: createRegistry('test'),
          }),
        },
        { provide: DefinitionsService, useValue: new DefinitionsService(store, catalogue) },
      ],
    })
    class TestModule {}
    app = await NestFactory.create<NestFastifyApplication>(TestModule, createHttpAdapter(), { logger: false });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.init();
  });

  afterAll(async () => {
    await app?.close();
    await issuer?.stop();
    await dataSource?.destroy();
    await pool?.end();
    await database?.drop();
  });

  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    roles = { 'organizer-1': 'editor' } as object,
  ): Promise<Answer> {
    const token = await issuer.token('operator-1', { podium_roles: roles });
    const reply = await app.inject({
      method,
      url: `/admin/v1${path}`,
      headers: { authorization: `Bearer ${token}`, 'x-podium-internal-token': 'internal' },
      payload: body,
    });
    return { status: reply.statusCode, json: JSON.parse(reply.payload) as Answer['json'] };
  }

  async function created(path: string, body: object): Promise<string> {
    const { status, json } = await call('POST', path, body);
    expect([status, json.error]).toEqual([201, undefined]);
    return (json.task_id ?? json.segment_id) as string;
  }

  const published = async (): Promise<{ epoch: string; ids: string[] }> =>
    inTransaction(pool, async (tx) => ({
      epoch: await store.readEpoch(tx),
      ids: (await store.loadPublished(tx)).map(({ definitionId, version }) => `${definitionId}/${version}`),
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
      counts_from: null,
      goal,
      repeat: { once: true },
      max_per_user: null,
      created_by: 'operator-1',
    });
    const before = await published();
    expect(before.ids).not.toContain(`${id}/1`);

    const first = await call('POST', `/tasks/${id}/publish`, {});
    expect(first).toMatchObject({
      status: 200,
      json: { state: 'published', generation: 1, published_by: 'operator-1' },
    });
    expect(first.json.counts_from).toBe(first.json.published_at);
    const after = await published();
    expect(after.ids).toContain(`${id}/1`);
    expect(after.epoch).not.toBe(before.epoch);

    const renamed = await call('POST', `/tasks/${id}/versions`, { ...taskVersion, name: 'Renamed', max_per_user: 2 });
    expect(renamed).toMatchObject({
      status: 201,
      json: { version: 1, versions: [{ version: 1 }, { version: 2, state: 'draft' }] },
    });
    const second = await call('POST', `/tasks/${id}/publish`, { version: 2 });
    expect(second.json).toMatchObject({
      version: 2,
      name: 'Renamed',
      generation: 1,
      counts_from: first.json.counts_from,
      versions: [{ state: 'replaced' }, { state: 'published' }],
    });

    await call('POST', `/tasks/${id}/versions`, { ...taskVersion, goal: { ...goal, value: '200' } });
    expect((await call('POST', `/tasks/${id}/pause`)).json.state).toBe('paused');
    const third = await call('POST', `/tasks/${id}/publish`, {});
    expect(third.json).toMatchObject({ version: 3, generation: 2, state: 'paused' });
    expect((await published()).ids.filter((each) => each.startsWith(id))).toEqual([`${id}/3`]);
    expect((await call('POST', `/tasks/${id}/resume`)).json.state).toBe('published');
    expect((await call('POST', `/tasks/${id}/end`)).json.state).toBe('ended');
    expect((await published()).ids.filter((each) => each.startsWith(id))).toEqual([]);
    for (const path of ['publish', 'pause', 'resume', 'end'])
      expect(await call('POST', `/tasks/${id}/${path}`, {})).toMatchObject({
        status: 409,
        json: { error: { code: 'conflict' } },
      });

    const { rows } = await queryable(pool).query(
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

  it('gives checked definitions to the evaluation unchanged', async () => {
    const id = await created('/segments', segment);
    await call('POST', `/segments/${id}/publish`, {});
    const definitions = await inTransaction(pool, (tx) => store.loadPublished(tx));
    const loaded = definitions.find(({ definitionId }) => definitionId === id)!;
    expect(loaded).toEqual({
      definitionId: id,
      version: 1,
      generation: 1,
      kind: 'segment',
      platform: 'acme',
      organizerId: 'organizer-1',
      paused: false,
      countsFromMs: expect.any(Number) as number,
      body: { condition },
      attributeTypes: {},
    });
    expect(Math.abs(loaded.countsFromMs - Date.now())).toBeLessThan(60_000);
    expect([...compileDefinition(loaded).eventNames]).toEqual(['deposit']);
  });

  it('does not publish while a batch uses the published definitions', async () => {
    const id = await created('/segments', segment);
    const order: string[] = [];
    let publishing: Promise<unknown> = Promise.resolve();
    await inTransaction(pool, async (tx) => {
      const epoch = await store.readEpoch(tx);
      publishing = call('POST', `/segments/${id}/publish`, {}).then(() => order.push('published'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await store.readEpoch(tx)).toBe(epoch);
      order.push('batch done');
    });
    await publishing;
    expect(order).toEqual(['batch done', 'published']);
  });

  it('never changes published versions, enforced by the database too', async () => {
    const id = await created('/tasks', task);
    await call('POST', `/tasks/${id}/publish`, {});
    await expect(
      queryable(pool).query(`UPDATE engagement.definitions SET body = '{}' WHERE definition_id = $1`, [id]),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it('publishes once when two operators do it at the same time', async () => {
    const id = await created('/tasks', task);
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/tasks/${id}/publish`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
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
    expect((await call('POST', '/tasks', task, stranger)).status).toBe(403);
    expect((await call('GET', `/tasks/${id}`, undefined, viewer)).status).toBe(200);
    expect((await call('GET', `/tasks/${id}`, undefined, stranger)).status).toBe(404);
    for (const path of ['versions', 'publish', 'pause', 'resume', 'end']) {
      const body = path === 'versions' ? taskVersion : {};
      expect([path, (await call('POST', `/tasks/${id}/${path}`, body, viewer)).status]).toEqual([path, 403]);
      expect([path, (await call('POST', `/tasks/${id}/${path}`, body, stranger)).status]).toEqual([path, 404]);
    }
    expect((await call('GET', `/tasks/${id}`, undefined, { '*': 'viewer' })).status).toBe(200);
    expect((await app.inject({ method: 'GET', url: '/admin/v1/tasks' })).statusCode).toBe(401);
  });

  it.each<[string, object, number, string]>([
    ['/tasks', { ...task, platform: 'nobody' }, 422, 'platform: '],
    ['/tasks', { ...task, goal: undefined }, 400, 'goal'],
    ['/tasks', { ...task, goal: { min: {} } }, 422, 'goal.min: the condition "min" is not supported yet'],
    ['/tasks', { ...task, budget: { total: 1 } }, 422, 'budget: "budget" is not supported yet'],
    ['/tasks', { ...task, eligible: 'x' }, 422, 'eligible: '],
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
