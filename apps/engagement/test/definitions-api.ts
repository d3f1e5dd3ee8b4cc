import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IntegrationData } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { createHttpAdapter } from '@podium/runtime/app';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { createRegistry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, queryable } from '@podium/runtime/postgres';
import { TestIssuer, freshDatabase } from '@podium/testing';
import { requireDocumented } from '@podium/testing/documented-answers';
import { DataSource } from 'typeorm';
import { ApprovalsController } from '../src/approvals/approvals.controller';
import { DefinitionAuditController } from '../src/approvals/definition-audit.controller';
import { DefinitionAuditService } from '../src/approvals/definition-audit.service';
import { TaskBudgetService } from '../src/approvals/task-budget.service';
import { UnissuedService } from '../src/approvals/unissued.service';
import { BackfillsController } from '../src/backfills/backfills.controller';
import { BackfillsService } from '../src/backfills/backfills.service';
import { migrations, schema } from '../src/migrations';
import { Catalogue } from '../src/definitions/catalogue';
import { Definition } from '../src/definitions/definition.entity';
import { DefinitionsService } from '../src/definitions/definitions.service';
import { DefinitionsStore } from '../src/definitions/definitions.store';
import { SegmentsController } from '../src/definitions/segments.controller';
import { TasksController } from '../src/definitions/tasks.controller';
import { EngagementMetrics } from '../src/metrics/engagement-metrics';
import { RatesController } from '../src/rates/rates.controller';
import { RatesService } from '../src/rates/rates.service';
import { LiveDefinitions } from '../src/progress/live-definitions';
import { leadingRelay } from './leading-relay';
import { Exports } from '../src/reports/export-lines';
import { DryRunsController } from '../src/trials/dry-runs.controller';
import { PreviewsController } from '../src/trials/previews.controller';
import { TrialsService } from '../src/trials/trials.service';

/** A response of the API. */
export interface Answer {
  status: number;
  json: Record<string, never> & { items: Record<string, never>[]; error: { code: string; message: string } };
}

/** The operators' API of segments, tasks and approvals over a database of its own. */
export interface DefinitionsApi {
  readonly pool: Pool;
  readonly store: DefinitionsStore;
  readonly app: NestFastifyApplication;
  /** Calls as an operator with these roles by organizer. */
  call(method: 'GET' | 'POST', path: string, body?: object, roles?: object, operatorId?: string): Promise<Answer>;
  /** Publishes the newest version of a definition, or the one that the body states, as a second operator. */
  publish(path: string, body?: object): Promise<Answer>;
  /** Creates a draft and returns its id. */
  created(path: string, body: object): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it, with the integrations `acme` of organizer-1 and `other` of organizer-2. */
export async function startDefinitionsApi(): Promise<DefinitionsApi> {
  const database = await freshDatabase({ schema, migrations });
  const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
  const pool = createPool({ url: database.url, size: 8, service: 'test' }, logger, createRegistry('test'));
  const leader = await leadingRelay(pool);
  const dataSource = new DataSource(
    dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
  );
  await dataSource.initialize();
  const store = new DefinitionsStore(dataSource);
  const catalogue = new Catalogue();
  catalogue.apply('acme', { data: integration('acme', 'organizer-1') } as never);
  catalogue.apply('other', { data: integration('other', 'organizer-2') } as never);

  const issuer = await TestIssuer.start();
  const definitions = new DefinitionsService(store, catalogue);
  const live = new LiveDefinitions(store);

  @Module({
    controllers: [
      ...[SegmentsController, TasksController, ApprovalsController, DefinitionAuditController, RatesController],
      ...[PreviewsController, DryRunsController, BackfillsController],
    ],
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
      { provide: DefinitionsService, useValue: definitions },
      {
        provide: UnissuedService,
        useValue: new UnissuedService(pool, definitions, live, new EngagementMetrics(createRegistry('test'))),
      },
      { provide: TrialsService, useValue: new TrialsService(pool, definitions, live) },
      { provide: BackfillsService, useValue: new BackfillsService(pool, definitions, live) },
      { provide: Exports, useValue: new Exports() },
      { provide: TaskBudgetService, useValue: new TaskBudgetService(pool, definitions, live) },
      { provide: RatesService, useValue: new RatesService(pool) },
      { provide: DefinitionAuditService, useValue: new DefinitionAuditService(queryable(pool), definitions) },
    ],
  })
  class TestModule {}
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, createHttpAdapter(), { logger: false });
  app.useGlobalFilters(new CodedErrorFilter(logger));
  app.useGlobalPipes(dtoPipe());
  await app.init();

  const call: DefinitionsApi['call'] = async (
    method,
    path,
    payload,
    roles = { 'organizer-1': ['editor', 'approver'] },
    operatorId = 'operator-1',
  ) => {
    const token = await issuer.token(operatorId, { podium_roles: roles });
    const url = `/admin/v1${path}`;
    const reply = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, 'x-podium-internal-token': 'internal' },
      payload,
    });
    const { statusCode: status, payload: text } = reply;
    requireDocumented({ method, url, status, text });
    return { status, json: JSON.parse(text) as Answer['json'] };
  };
  return {
    pool,
    store,
    app,
    call,
    publish: async (path, body = {}) => {
      const versions = 'version' in body ? [] : ((await call('GET', path)).json.versions as unknown as unknown[]);
      const request = { version: versions.length, ...body };
      return call('POST', `${path}/publish`, request, { 'organizer-1': 'approver' }, 'operator-2');
    },
    created: async (path, payload) => {
      const { status, json } = await call('POST', path, payload);
      if (status !== 201) throw new Error(`${path} answered ${status}: ${json.error.message}`);
      return (json.task_id ?? json.segment_id) as string;
    },
    stop: async () => {
      await app.close();
      await issuer.stop();
      await dataSource.destroy();
      leader.release();
      await pool.end();
      await database.drop();
    },
  };
}

/** The time in so many days, for `in_force_from`. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

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
        events: [
          {
            name: 'deposit',
            kind: 'repeatable',
            attributes: [
              { name: 'amount', type: 'decimal' },
              { name: 'paid', type: 'decimal', currency_attribute: 'currency', currencies: ['EUR', 'USD'] },
              { name: 'currency', type: 'currency' },
            ],
          },
        ],
      },
    ],
  };
}
