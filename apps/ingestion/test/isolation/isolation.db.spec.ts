import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IntegrationData } from '@podium/messages';
import { createHttpAdapter } from '@podium/runtime/app';
import { fixed } from '@podium/runtime/config';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, TestIssuer, freshDatabase } from '@podium/testing';
import { requireDocumented } from '@podium/testing/documented-answers';
import { operatorRoutes, roleSets, tooLittleFor } from '@podium/testing/operator-routes';
import { Contracts } from '../../src/contract-view/contracts';
import { IngestionModule } from '../../src/ingestion.module';
import { ApplyLinks } from '../../src/link-view/apply-links';
import { LinkView } from '../../src/link-view/link-view';
import { migrations, schema } from '../../src/migrations';
import { DriftCounts } from '../../src/drift/drift-counts';
import { DriftService } from '../../src/drift/drift.service';
import { DriftStore } from '../../src/drift/drift.store';
import { RefusalCounts } from '../../src/refusals/refusal-counts';
import { BatchedWrites } from '../../src/counting/batched-writes';
import { PartnerContract } from '../../src/partner-reads/partner-contract';
import { RefusedEvents } from '../../src/refusals/refused-events';
import { RefusedEventsService } from '../../src/refusals/refused-events.service';
import { RefusalsService } from '../../src/refusals/refusals.service';
import { RefusalsStore } from '../../src/refusals/refusals.store';
import { ingestionOperations as operations } from './operations';

const platforms = ['platform-of-a', 'platform-of-b'];

describe("an operator of one organizer and another organizer's refused events and drift", () => {
  let database: FreshDatabase;
  let pool: Pool;
  let issuer: TestIssuer;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    const registry = new Registry();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 3, service: 'test' }, logger, registry);
    issuer = await TestIssuer.start();
    const counts = new RefusalCounts();
    for (const platform of platforms)
      for (const user of ['first', 'second'])
        counts.add({
          platform,
          code: 'user_not_linked',
          platformUserId: `${user}-of-${platform}`,
          message: 'not linked',
        });
    const drift = new DriftCounts();
    for (const platform of platforms)
      for (const name of ['first', 'second'])
        drift.add({
          ...{ platform, name: `${name}-of-${platform}`, isNegotiated: false },
          ...{ dropped: [], typed: [], notParsed: [] },
        });
    const driftWrites = new BatchedWrites(drift, (tx) => new DriftStore(tx), { pool, logger, what: 'drift' });
    const flush = new BatchedWrites(counts, (tx) => new RefusalsStore(tx), { pool, logger, what: 'refusals' });
    const contracts = contractsOf(platforms);
    const refusals = new RefusalsService(contracts, flush, new RefusalsStore(queryable(pool)));
    const driftService = new DriftService(contracts, driftWrites, new DriftStore(queryable(pool)));
    const { url: issuerUrl } = issuer;
    const module = IngestionModule.of([
      { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
      {
        provide: BearerTokens,
        useValue: new BearerTokens({ issuerUrl, audience: TestIssuer.audience, logger, registry }),
      },
      { provide: RefusalsService, useValue: refusals },
      { provide: DriftService, useValue: driftService },
      { provide: RefusalCounts, useValue: counts },
      { provide: RefusedEvents, useValue: {} },
      { provide: RefusedEventsService, useValue: {} },
      { provide: PartnerContract, useValue: {} },
      { provide: ApplyLinks, useValue: {} },
      { provide: LinkView, useValue: {} },
    ]);
    app = await NestFactory.create<NestFastifyApplication>(module, createHttpAdapter(), { logger: false });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.init();
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.stop();
    await pool?.end();
    await database?.drop();
  });

  describe.each(Object.keys(operations))('%s', (name) => {
    it('answers as if nothing of theirs existed, whatever the roles, nor behind their cursor', async () => {
      const { status, text } = await call(name, 'platform-of-a', 'organizer-of-platform-of-a', ['viewer'], {
        limit: '1',
      });
      expect(status).toBe(200);
      const { next_cursor: cursor } = JSON.parse(text) as { next_cursor: string };
      for (const roles of roleSets) {
        const mine = (platform: string, page = {}): ReturnType<typeof call> =>
          call(name, platform, 'organizer-of-platform-of-b', roles, page);
        const answer = await mine('platform-of-a');
        expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('not_found') });
        expect(answer).toEqual(await mine('platform-of-nobody'));
        const behind = await mine('platform-of-b', { cursor });
        expect(behind.status).toBe(200);
        expect(behind.text).not.toContain('platform-of-a');
      }
    });

    it('is forbidden at my own without the role that it demands', async () => {
      const { role } = operatorRoutes().get(name)!;
      expect(role).toBeDefined();
      for (const lower of [...tooLittleFor(role!), 'unknown-role']) {
        const answer = await call(name, 'platform-of-b', 'organizer-of-platform-of-b', [lower]);
        expect({ lower, ...answer }).toMatchObject({ lower, status: 403, text: expect.stringContaining('forbidden') });
      }
    });

    it('shows my own things without anything of theirs', async () => {
      const answer = await call(name, 'platform-of-b', 'organizer-of-platform-of-b', ['viewer']);
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('first-of-platform-of-b') });
      expect(answer.text).not.toContain('platform-of-a');
    });
  });

  async function call(
    name: string,
    platform: string,
    organizerId: string,
    roles: readonly string[],
    page: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string }> {
    const { method, path } = operatorRoutes().get(name)!;
    const token = await issuer.token('operator', { podium_roles: { [organizerId]: roles } });
    const url = `${path}?${new URLSearchParams({ ...operations[name].query(platform), ...page })}`;
    const { statusCode, payload } = await app.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${token}`, 'x-podium-internal-token': 'internal' },
    });
    requireDocumented({ method, url, status: statusCode, text: payload });
    return { status: statusCode, text: payload };
  }
});

/** Each platform with an organizer of its own. */
function contractsOf(names: readonly string[]): Contracts {
  const contracts = new Contracts();
  for (const platform of names) {
    const integration: IntegrationData = {
      ...{ integration_id: platform, platform, partner: platform, organizer_id: `organizer-of-${platform}` },
      ...{ status: 'active', contracts: [] },
    };
    contracts.apply(platform, integration);
  }
  return contracts;
}
