import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ContractVersion, IntegrationData } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { fixed } from '@podium/runtime/config';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions, queryable } from '@podium/runtime/postgres';
import { TestIssuer, freshDatabase } from '@podium/testing';
import { requireDocumented } from '@podium/testing/documented-answers';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module';
import { ApplyParts } from '../src/applying/apply-parts';
import { DefinitionAuditService } from '../src/approvals/definition-audit.service';
import { TaskBudgetService } from '../src/approvals/task-budget.service';
import { UnissuedService } from '../src/approvals/unissued.service';
import { AwardsService } from '../src/awards/awards.service';
import { EnterAwardResults } from '../src/awards/enter-award-results';
import { BackfillsService } from '../src/backfills/backfills.service';
import { Catalogue } from '../src/definitions/catalogue';
import { Definition } from '../src/definitions/definition.entity';
import { DefinitionsService } from '../src/definitions/definitions.service';
import { DefinitionsStore } from '../src/definitions/definitions.store';
import { EraseUsers } from '../src/erasures/erase-users';
import { ExplainService } from '../src/explain/explain.service';
import { EngagementMetrics } from '../src/metrics/engagement-metrics';
import { migrations, schema } from '../src/migrations';
import { LiveDefinitions } from '../src/progress/live-definitions';
import { Exports } from '../src/reports/export-lines';
import { OperatorCaller } from '@podium/testing/operator-routes';
import { RatesService } from '../src/rates/rates.service';
import { ReportsService } from '../src/reports/reports.service';
import { TrialsService } from '../src/trials/trials.service';
import { UsersService } from '../src/users/users.service';

/** A response; text, because exports are lines. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** Every route of engagement over a database of its own, as the gateway forwards requests to it. */
export interface OperatorsApi {
  readonly app: NestFastifyApplication;
  readonly pool: Pool;
  readonly parts: ApplyParts;
  /** Calls a path with its query. */
  call(caller: OperatorCaller, method: string, path: string, body?: object): Promise<TextAnswer>;
  stop(): Promise<void>;
}

/** Starts it, with integrations by platform and the organizer of each, all with the same contract. */
export async function startOperatorsApi(
  organizers: Readonly<Record<string, string>> = {},
  events: ContractVersion['events'] = [],
): Promise<OperatorsApi> {
  const database = await freshDatabase({ schema, migrations });
  const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
  const registry = new Registry();
  const pool = createPool({ url: database.url, size: 8, service: 'test' }, logger, registry);
  const dataSource = new DataSource(
    dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
  );
  await dataSource.initialize();
  const issuer = await TestIssuer.start();
  const store = new DefinitionsStore(dataSource);
  const parts = new ApplyParts(pool, new LiveDefinitions(store));
  const definitions = new DefinitionsService(store, catalogueOf(organizers, events));
  const live = parts.definitions;
  const metrics = new EngagementMetrics(registry);
  const bearerTokens = new BearerTokens({
    issuerUrl: issuer.url,
    audience: TestIssuer.audience,
    logger,
    registry,
  });
  const module = AppModule.of([
    { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
    { provide: BearerTokens, useValue: bearerTokens },
    { provide: ApplyParts, useValue: parts },
    { provide: EngagementMetrics, useValue: metrics },
    { provide: DefinitionsService, useValue: definitions },
    { provide: ReportsService, useValue: new ReportsService(pool, definitions, live) },
    { provide: Exports, useValue: new Exports() },
    { provide: ExplainService, useValue: new ExplainService(pool, definitions, live) },
    { provide: UnissuedService, useValue: new UnissuedService(pool, definitions, live, metrics) },
    { provide: TaskBudgetService, useValue: new TaskBudgetService(pool, definitions, live) },
    { provide: BackfillsService, useValue: new BackfillsService(pool, definitions, live) },
    { provide: DefinitionAuditService, useValue: new DefinitionAuditService(queryable(pool), definitions) },
    { provide: TrialsService, useValue: new TrialsService(pool, definitions, live) },
    { provide: RatesService, useValue: new RatesService(pool) },
    { provide: AwardsService, useValue: new AwardsService(queryable(pool)) },
    { provide: UsersService, useValue: new UsersService(queryable(pool)) },
    { provide: EraseUsers, useValue: new EraseUsers(pool) },
    { provide: EnterAwardResults, useValue: new EnterAwardResults(pool) },
  ]);
  const app = await NestFactory.create<NestFastifyApplication>(module, createHttpAdapter(), { logger: false });
  app.useGlobalFilters(new CodedErrorFilter(logger));
  app.useGlobalPipes(dtoPipe());
  await app.init();
  return {
    app,
    pool,
    parts,
    call: async ({ operatorId, roles }, method, path, body) => {
      const token = await issuer.token(operatorId, { podium_roles: roles });
      const { statusCode, payload } = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${token}`, 'x-podium-internal-token': 'internal' },
        payload: body,
      });
      requireDocumented({ method, url: path, status: statusCode, text: payload });
      return { status: statusCode, text: payload };
    },
    stop: async () => {
      await app.close();
      await issuer.stop();
      await dataSource.destroy();
      await pool.end();
      await database.drop();
    },
  };
}

function catalogueOf(organizers: Readonly<Record<string, string>>, events: ContractVersion['events']): Catalogue {
  const catalogue = new Catalogue();
  for (const [platform, organizerId] of Object.entries(organizers)) {
    const data: IntegrationData = {
      ...{ integration_id: platform, platform, partner: platform, organizer_id: organizerId, status: 'active' },
      contracts: [{ version: 1, in_force_from: 0, events }],
    };
    catalogue.apply(platform, { data } as never);
  }
  return catalogue;
}
