import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpAdapter } from '@podium/runtime/app';
import { fixed } from '@podium/runtime/config';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { get as httpGet, IncomingMessage } from 'node:http';
import { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { Catalogue } from '../definitions/catalogue';
import { Definition } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { DefinitionsStore } from '../definitions/definitions.store';
import { ExplainController } from '../explain/explain.controller';
import { ExplainService } from '../explain/explain.service';
import { condense as condenseHistory } from '../history/change-history';
import { readHistories, writeHistories } from '../history/histories.store';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { Exports } from './export-lines';
import { findUserRef } from './report-users.queries';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const nowS = nowMs / 1000;
const dayS = 86_400;
const taskId = '00000000-0000-4000-8000-000000000001';
const segmentId = '00000000-0000-4000-8000-000000000002';
const draftId = '00000000-0000-4000-8000-000000000003';
const manyId = '00000000-0000-4000-8000-000000000004';
const dailyId = '00000000-0000-4000-8000-000000000005';
const users = ['ann', 'bob', 'cid', 'dan'];
/** More than the buffers of a connection take. */
const manyMembers = 40_000;

// A whole export of so many members takes a while on a busy machine.
jest.setTimeout(120_000);

/** A token is the organizer that the operator may view. */
class ViewerOfToken extends BearerTokens {
  override async claims(token: string | undefined): Promise<{ sub: string; podium_roles: Record<string, string> }> {
    return { sub: 'op', podium_roles: { [String(token).split(' ').at(-1) ?? '']: 'viewer' } };
  }
}

interface Answer {
  status: number;
  body: Record<string, unknown> & { items: Record<string, unknown>[]; next_cursor: string | null };
}

describe('reports and explanations over HTTP', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let dataSource: DataSource;
  let app: NestFastifyApplication;
  let parts: ApplyParts;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    const registry = new Registry();
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, registry);
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const store = new DefinitionsStore(dataSource);
    const definitions = new DefinitionsService(store, new Catalogue());
    parts = new ApplyParts(pool, new LiveDefinitions(store), () => nowMs);
    const issuer = { issuerUrl: 'http://127.0.0.1:1', audience: 'podium-api', logger, registry };
    const clock = (): number => nowMs;
    @Module({
      controllers: [ReportsController, ExplainController],
      providers: [
        { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
        { provide: BearerTokens, useValue: new ViewerOfToken(issuer) },
        { provide: ReportsService, useValue: new ReportsService(pool, definitions, parts.definitions, clock) },
        { provide: ExplainService, useValue: new ExplainService(pool, definitions, parts.definitions, clock) },
        { provide: Exports, useValue: new Exports() },
      ],
    })
    class TestedModule {}
    app = await NestFactory.create<NestFastifyApplication>(TestedModule, createHttpAdapter(), { logger: false });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.listen(0, '127.0.0.1');
    await seed();
  });

  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await pool.end();
    await database.drop();
  });

  it('lists members by user, page by page', async () => {
    const found = await allPages(`/admin/v1/segments/${segmentId}/members`);
    expect(found).toEqual(
      ['ann', 'bob'].map((user_id) => ({
        user_id,
        platform_user_id: `sub-of-${user_id}`,
        since: new Date((nowS - 2 * dayS) * 1000).toISOString(),
        reason: 'event',
        version: 1,
      })),
    );
  });

  it('lists awards of a task with ledger and evidence, by user and occurrence', async () => {
    const found = await allPages(`/admin/v1/tasks/${taskId}/awards`);
    expect(found.map(({ user_id, occurrence }) => [user_id, occurrence])).toEqual([
      ['ann', 'g1:every:1'],
      ['ann', 'g1:every:2'],
      ['bob', 'g1:every:1'],
    ]);
    expect(found[0]).toMatchObject({
      task_id: taskId,
      state: 'issued',
      entries: [{ seq: 1, kind: 'issued' }],
      evidence: { version: 1, values: { goal: '2' }, events: [{ id: 'ann-1' }, { id: 'ann-0' }], cut: false },
    });
  });

  it('shows the progress of users with events of the goal alone', async () => {
    const found = await allPages(`/admin/v1/tasks/${taskId}/progress`);
    const none = { series: 'g1:every', period_ends_at: null, held: 0, withheld: 0 };
    expect(found).toEqual([
      { ...none, user_id: 'ann', platform_user_id: 'sub-of-ann', value: '4', target: '6', reached: true, issued: 2 },
      { ...none, user_id: 'bob', platform_user_id: 'sub-of-bob', value: '2', target: '4', reached: true, issued: 1 },
      { ...none, user_id: 'cid', platform_user_id: 'sub-of-cid', value: '1', target: '2', reached: false, issued: 0 },
    ]);
  });

  it('shows of a task that repeats per period which period counts, and when it ends', async () => {
    const found = await allPages(`/admin/v1/tasks/${dailyId}/progress`);
    const today = { series: '2026-11-20', period_ends_at: '2026-11-20T22:00:00.000Z', target: '1' };
    expect(found).toMatchObject([
      { ...today, user_id: 'ann', value: '0', reached: false },
      { ...today, user_id: 'bob', value: '0', reached: false },
      { ...today, user_id: 'cid', value: '1', reached: true },
    ]);
  });

  it('explains a task: what counted, what did not, and what became of it', async () => {
    const { status, body } = await get(`/admin/v1/tasks/${taskId}/explain?user_id=ann`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ exact: true, not_exact_because: null, version: 1, linked: true, holds: true, eligible: null, paused: false },
      link: { platform_user_id: 'sub-of-ann', unlinked_at: null },
      dates: { within: true, closes_at: null },
      steps: { base: '0', inside: '4', passed: 2 },
      comparisons: [
        {
          ...{ path: 'goal', value: '4', target: '2', holds: true, counted_total: 4, not_counted_total: 1 },
          ...{ buckets: [], events_not_stored: 0 },
          not_counted: [{ id: 'ann-small', reason: 'filter', test: { attribute: 'amount', op: 'gte', value: '10' } }],
        },
      ],
      occurrences: [
        { first: 'g1:every:1', state: 'issued', decided_by: 'ann-1', owed: true },
        { first: 'g1:every:2', state: 'issued', decided_by: 'ann-3', owed: true },
      ],
      awards: [{ occurrence: 'g1:every:2' }, { occurrence: 'g1:every:1' }],
    });
    const before = await get(`/admin/v1/tasks/${taskId}/explain?user_id=ann&at=${iso(nowS - 2 * dayS)}`);
    expect(before.body).toMatchObject({
      comparisons: [{ value: '2', not_counted: [{ reason: 'not_yet_seen' }, { reason: 'not_yet_seen' }, {}] }],
      occurrences: [{ first: 'g1:every:1', state: 'issued' }],
      due_at: null,
    });
  });

  it('explains a segment, and its instants before the events that are kept singly from records alone', async () => {
    const explain = `/admin/v1/segments/${segmentId}/explain?user_id`;
    const member = await get(`${explain}=ann`);
    expect(member.body).toMatchObject({ exact: true, member: true, published_member: true, holds: true, ended: false });
    expect(member.body.due_at).toBe(iso(Math.floor(nowS / dayS) * dayS + 6 * dayS));
    expect((await get(`${explain}=cid`)).body).toMatchObject({ member: false, published_member: null, holds: false });
    expect((await get(`${explain}=dan`)).body).toMatchObject({ member: false, comparisons: [{ counted_total: 0 }] });
    await condense('bob');
    const one = { value: '1', stored: 1 };
    const merged = await get(`${explain}=bob`);
    expect(merged.body).toMatchObject({
      exact: true,
      comparisons: [{ value: '2', counted_total: 2, buckets: [one, one], events_not_stored: 0 }],
    });
    await pool.query(`DELETE FROM engagement.events WHERE event_id = 'bob-0'`);
    expect((await get(`${explain}=bob`)).body).toMatchObject({ comparisons: [{ value: '2', events_not_stored: 1 }] });
    const past = await get(`/admin/v1/tasks/${taskId}/explain?user_id=bob&at=${iso(nowS - 2 * dayS)}`);
    expect(past.body).toMatchObject({
      ...{ exact: false, not_exact_because: 'condensed', holds: null, comparisons: [], version: 1 },
      occurrences: [{ first: 'g1:every:1', state: 'issued', owed: false }],
      awards: [{ evidence: { values: { goal: '2' } } }],
    });
  });

  it('exports lines that can be continued from the cursor of each', async () => {
    for (const path of [`segments/${segmentId}/members`, `tasks/${taskId}/awards`, `tasks/${taskId}/progress`]) {
      const items = await allPages(`/admin/v1/${path}`);
      const whole = await lines(`/admin/v1/${path}/export`);
      expect(whole.map(({ cursor: _cursor, ...item }) => item)).toEqual(items);
      const rest = await lines(`/admin/v1/${path}/export?cursor=${String(whole[0].cursor)}`);
      expect(rest).toEqual(whole.slice(1));
    }
  });

  it('reads only as far ahead as the client reads, and stops when it goes away', async () => {
    const statements = jest.spyOn(pool, 'query');
    const response = await open(`/admin/v1/segments/${manyId}/members/export`);
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    response.pause();
    await settled(() => statements.mock.calls.length);
    const read = statements.mock.calls.length;
    expect(read).toBeLessThan(manyMembers / 200 / 2);
    response.destroy();
    await settled(() => statements.mock.calls.length);
    expect(statements.mock.calls.length).toBeLessThanOrEqual(read + 2);
    statements.mockRestore();
    expect(await lines(`/admin/v1/segments/${manyId}/members/export`)).toHaveLength(manyMembers);
  });

  it('refuses more exports of an organizer at the same time than it has slots for, and frees them', async () => {
    const path = `/admin/v1/segments/${manyId}/members/export`;
    const running = await Promise.all([1, 2].map(() => open(path)));
    expect(await get(path)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    running.forEach((response) => response.destroy());
    while ((await get(`/admin/v1/segments/${segmentId}/members/export`)).status === 429)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await lines(`/admin/v1/segments/${segmentId}/members/export`)).length).toBe(2);
  });

  it.each([
    [`segments/${segmentId}/members`, 404],
    [`segments/${segmentId}/members/export`, 404],
    [`segments/${segmentId}/explain?user_id=ann`, 404],
    [`tasks/${taskId}/awards`, 404],
    [`tasks/${taskId}/awards/export`, 404],
    [`tasks/${taskId}/progress`, 404],
    [`tasks/${taskId}/progress/export`, 404],
    [`tasks/${taskId}/explain?user_id=ann`, 404],
  ])('does not show %s to operators of another organizer', async (path, status) => {
    expect((await get(`/admin/v1/${path}`, 'organizer-1')).status).toBe(200);
    expect(await get(`/admin/v1/${path}`, 'organizer-2')).toMatchObject({
      status,
      body: { error: { code: 'not_found' } },
    });
  });

  it.each([
    [`tasks/${segmentId}/awards`, 404],
    ['tasks/1/progress', 404],
    [`segments/${segmentId}/members?cursor=broken`, 400],
    [`segments/${segmentId}/members/export?cursor=WyJ4Il0`, 400],
    [`tasks/${taskId}/explain`, 400],
    [`tasks/${taskId}/explain?user_id=nobody`, 404],
    [`tasks/${taskId}/explain?user_id=ann&at=yesterday`, 400],
    [`tasks/${taskId}/explain?user_id=ann&at=${iso(nowS + 1)}`, 400],
  ])('answers %s with %i', async (path, status) => {
    expect(await get(`/admin/v1/${path}`)).toMatchObject({ status, body: { error: { code: expect.any(String) } } });
  });

  it('shows a draft without progress, and explains that it is not live', async () => {
    expect((await get(`/admin/v1/tasks/${draftId}/progress`)).body.items).toEqual([]);
    const { body } = await get(`/admin/v1/tasks/${draftId}/explain?user_id=ann`);
    expect(body).toMatchObject({ exact: false, not_exact_because: 'not_live', version: null, occurrences: [] });
  });

  function open(path: string, organizer = '*'): Promise<IncomingMessage> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const headers = { 'x-podium-internal-token': 'internal', authorization: `Bearer ${organizer}` };
    return new Promise((resolve, reject) => {
      httpGet({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject);
    });
  }

  async function text(path: string, organizer?: string): Promise<{ status: number; text: string }> {
    const response = await open(path, organizer);
    response.setEncoding('utf8');
    let received = '';
    for await (const chunk of response) received += chunk as string;
    return { status: response.statusCode ?? 0, text: received };
  }

  async function get(path: string, organizer?: string): Promise<Answer> {
    const answer = await text(path, organizer);
    const isLines = path.includes('/export') && answer.status === 200;
    return { status: answer.status, body: isLines ? {} : JSON.parse(answer.text) } as Answer;
  }

  async function lines(path: string): Promise<Record<string, unknown>[]> {
    const answer = await text(path);
    expect(answer.status).toBe(200);
    const whole = answer.text.split('\n').filter((line) => line !== '');
    return whole.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async function allPages(path: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body }: Answer = await get(`${path}?limit=1&cursor=${cursor}`);
      expect(status).toBe(200);
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  }

  async function seed(): Promise<void> {
    const where = [{ attribute: 'amount', op: 'gte', value: '10' }];
    const types = { deposit: { amount: 'decimal' } };
    const goal = { count: { event: 'deposit', where }, window: { lifetime: true }, op: 'gte', value: '2' };
    const reward = { type: 'points', amount: '5' };
    const body = {
      goal,
      repeat: { every: '2' },
      zone: 'UTC',
      max_per_user: 5,
      reward,
      claw_back: 'none',
      max_per_event: 10,
    };
    const condition = { count: { event: 'deposit', where }, window: { rolling: 'P7D' }, op: 'gte', value: '2' };
    await publish(taskId, 'task', { ...body, starts_at: nowS - 30 * dayS }, types);
    const daily = { ...goal, window: { task: true }, value: '1' };
    await publish(dailyId, 'task', { ...body, goal: daily, repeat: { per: 'day' }, zone: 'Europe/Riga' }, types);
    await publish(segmentId, 'segment', { condition, zone: 'UTC' }, types);
    await publish(manyId, 'segment', { condition, zone: 'UTC' }, types);
    await publish(draftId, 'task', body, types, 'draft');
    await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
    for (const user of users)
      await pool.query(
        `INSERT INTO engagement.links (platform, platform_user_id, user_id, link_id, integration_id, organizer_id, state,
           linked_at, revision) VALUES ('acme', $1, $2, $1, 'i', 'organizer-1', 'ready', 1, 1)`,
        [`sub-of-${user}`, user],
      );
    const deposit = (user: string, id: string, agoS: number, amount = '20') =>
      userEvent({ id: `${user}-${id}`, userId: user, createdAt: nowS - agoS, attributes: { amount } });
    const events = [
      ...[deposit('ann', '0', 3 * dayS), deposit('ann', '1', 2 * dayS), deposit('ann', 'small', 2 * dayS, '5')],
      ...[deposit('ann', '2', dayS), deposit('ann', '3', dayS - 1)],
      ...[deposit('bob', '0', 3 * dayS), deposit('bob', '1', 2 * dayS), deposit('cid', '0', 60)],
      userEvent({ id: 'dan-login', name: 'login', userId: 'dan', createdAt: nowS - 60 }),
    ];
    const place = { topic: 't', partition: 0, position: 'any', nextOffset: 9n } as const;
    await applyBatch(parts, { ...place, events: events.map((data) => ({ data })) });
    await pool.query(`DELETE FROM engagement.memberships WHERE segment_id = $1`, [manyId]);
    await pool.query(
      `WITH added AS (
         INSERT INTO engagement.users (platform, user_id) SELECT 'other', repeat('x', 200) || n FROM generate_series(1, $2::int) AS n
         RETURNING user_ref)
       INSERT INTO engagement.memberships SELECT user_ref, $1, 1, true, 0, 'event' FROM added`,
      [manyId, manyMembers],
    );
  }

  async function publish(id: string, kind: string, body: object, types: object, state = 'published'): Promise<void> {
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from, in_force_from)
       VALUES ($1, 1, CASE WHEN $5 <> 'draft' THEN 1 END, $2, 'acme', 'organizer-1', $2, $3, $4, $5, 'op', now(), now(), now(), $6)`,
      [id, kind, body, types, state, nowS - 30 * dayS],
    );
  }

  /** Merges a user's events as the engine does once they are older than the horizon. */
  async function condense(user: string): Promise<void> {
    const definitions = await inTransaction(pool, (tx) => parts.definitions.current(tx));
    await inTransaction(pool, async (tx) => {
      const userRef = (await findUserRef(tx, 'acme', user))!;
      const [found] = await readHistories(tx, [{ userRef, name: 'deposit' }]);
      condenseHistory(found.history, nowS - dayS, definitions.keptState('acme', 'deposit'));
      await writeHistories(tx, [found]);
    });
  }
});

/** Waits until a number no longer changes, for longer than a busy machine takes for the next statement. */
async function settled(read: () => number): Promise<void> {
  for (let last = NaN, again = read(); last !== again;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    [last, again] = [again, read()];
  }
}

function iso(atS: number): string {
  return new Date(atS * 1000).toISOString();
}
