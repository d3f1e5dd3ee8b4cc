import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fixed } from '@podium/runtime/config';
import { createHttpAdapter } from '@podium/runtime/app';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { applyBatch } from './applying/apply-batch';
import { ApplyParts } from './applying/apply-parts';
import { EnterAwardResults } from './awards/enter-award-results';
import { AwardsService } from './awards/awards.service';
import { DefinitionAuditService } from './approvals/definition-audit.service';
import { TaskBudgetService } from './approvals/task-budget.service';
import { UnissuedService } from './approvals/unissued.service';
import { Catalogue } from './definitions/catalogue';
import { Definition } from './definitions/definition.entity';
import { DefinitionsService } from './definitions/definitions.service';
import { DefinitionsStore } from './definitions/definitions.store';
import { ExplainService } from './explain/explain.service';
import { EraseUsers } from './erasures/erase-users';
import { EngagementMetrics } from './metrics/engagement-metrics';
import { migrations, schema } from './migrations';
import { LiveDefinitions } from './progress/live-definitions';
import { Exports } from './reports/export-lines';
import { ReportsService } from './reports/reports.service';
import { UsersService } from './users/users.service';

const taskId = '00000000-0000-4000-8000-000000000001';
const headers = { 'x-podium-internal-token': 'internal', authorization: 'Bearer token' };

/** The token of an operator who may view everything; what tokens hold is tested where they are verified. */
class AnyViewer extends BearerTokens {
  override async claims(): Promise<{ sub: string; podium_roles: Record<string, string> }> {
    return { sub: 'op', podium_roles: { '*': 'viewer' } };
  }
}

describe('engagement over HTTP', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let dataSource: DataSource;
  let app: NestFastifyApplication;
  let parts: ApplyParts;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    const registry = new Registry();
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, registry);
    const db = queryable(pool);
    dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    const store = new DefinitionsStore(dataSource);
    parts = new ApplyParts(pool, new LiveDefinitions(store));
    const definitions = new DefinitionsService(store, new Catalogue());
    const bearerTokens = new AnyViewer({
      issuerUrl: 'http://127.0.0.1:1',
      audience: 'podium-api',
      logger,
      registry,
    });
    const module = AppModule.of([
      { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
      { provide: BearerTokens, useValue: bearerTokens },
      { provide: ApplyParts, useValue: parts },
      { provide: EngagementMetrics, useValue: new EngagementMetrics(registry) },
      { provide: DefinitionsService, useValue: definitions },
      { provide: ReportsService, useValue: new ReportsService(pool, definitions, parts.definitions) },
      { provide: Exports, useValue: new Exports() },
      { provide: ExplainService, useValue: new ExplainService(pool, definitions, parts.definitions) },
      {
        provide: UnissuedService,
        useValue: new UnissuedService(pool, definitions, parts.definitions, new EngagementMetrics(new Registry())),
      },
      { provide: TaskBudgetService, useValue: new TaskBudgetService(pool, definitions, parts.definitions) },
      { provide: DefinitionAuditService, useValue: new DefinitionAuditService(db, definitions) },
      { provide: AwardsService, useValue: new AwardsService(db) },
      { provide: UsersService, useValue: new UsersService(db) },
      { provide: EraseUsers, useValue: new EraseUsers(pool) },
      { provide: EnterAwardResults, useValue: new EnterAwardResults(pool) },
    ]);
    app = await NestFactory.create<NestFastifyApplication>(module, createHttpAdapter(), { logger: false });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.init();
  });

  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await pool.end();
    await database.drop();
  });

  it('awards a task from its publication on, and shows the award', async () => {
    const nowS = Math.floor(Date.now() / 1000);
    const deposit = (id: string, nextOffset: bigint, createdAt: number) =>
      applyBatch(parts, {
        topic: 't',
        partition: 0,
        position: 'any',
        nextOffset,
        events: [{ data: userEvent({ id, createdAt, receivedAt: Date.now() }) }],
      });
    expect((await deposit('before', 1n, nowS - 10)).awards).toHaveLength(0);
    await publishTask();
    // It happened before, whenever it is received.
    expect((await deposit('late', 2n, nowS - 5)).awards).toHaveLength(0);
    expect((await deposit('after', 3n, Math.floor(Date.now() / 1000))).awards).toHaveLength(1);

    const awards = await get('/admin/v1/awards?platform=acme&user_id=user-1');
    expect(awards).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            task_id: taskId,
            occurrence: 'g1:every:3',
            reward: { type: 'points', amount: '5' },
            reached_at: expect.any(String) as string,
            entries: [{ seq: 1, kind: 'issued' }],
          },
        ],
        next_cursor: null,
      },
    });
    expect(await get('/admin/v1/users/acme/user-1')).toMatchObject({
      status: 200,
      body: { link: null, awards: 1, stored_events: [{ name: 'deposit', stored: 3 }] },
    });
  });

  it.each([
    ['/admin/v1/awards?limit=0', 400],
    ['/admin/v1/awards?task_id=1', 400],
    ['/admin/v1/awards?user_id=%00', 400],
    ['/admin/v1/awards?cursor=broken', 400],
    ['/admin/v1/users/acme/nobody', 404],
    ['/admin/v1/users/acme/%00', 404],
  ])('answers %s with %i in the common error format', async (path, status) => {
    expect(await get(path)).toMatchObject({ status, body: { error: { code: expect.any(String) } } });
  });

  it('refuses requests that bypass the gateway', async () => {
    expect(await get('/admin/v1/awards', {})).toMatchObject({ status: 401 });
    expect(await get('/admin/v1/users/acme/user-1', {})).toMatchObject({ status: 401 });
  });

  async function get(url: string, given: Record<string, string> = headers): Promise<{ status: number; body: unknown }> {
    const { statusCode, payload } = await app.inject({ method: 'GET', url, headers: given });
    return { status: statusCode, body: JSON.parse(payload) as unknown };
  }

  async function publishTask(): Promise<void> {
    const body = {
      goal: { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 },
      repeat: { every: 1 },
      reward: { type: 'points', amount: '5' },
    };
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, 'task', 'acme', 'organizer-1', 'each deposit', $2, '{}', 'published', 'op', now(), now(), now())`,
      [taskId, body],
    );
    await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
  }
});
