import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { JWTPayload } from 'jose';
import { CodedError } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { BearerTokens, CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Contracts } from './contract-view/contracts';
import { IngestionModule } from './ingestion.module';
import { ApplyLinks } from './link-view/apply-links';
import { LinkView } from './link-view/link-view';
import { DriftService } from './drift/drift.service';
import { RefusalCounts } from './refusals/refusal-counts';
import { PartnerContract } from './partner-reads/partner-contract';
import { RefusedEvents } from './refusals/refused-events';
import { RefusedEventsService } from './refusals/refused-events.service';
import { RefusalsService } from './refusals/refusals.service';

describe.each(['/admin/v1/refusals', '/admin/v1/drift'])("operators' route %s", (bare) => {
  const path = `${bare}?platform=acme`;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    const contracts = new Contracts();
    contracts.apply('acme', {
      integration_id: 'i-1',
      platform: 'acme',
      partner: 'Acme',
      organizer_id: 'org-acme',
      status: 'active',
      contracts: [],
    });
    const bearerTokens = {
      claims: async (authorization?: string): Promise<JWTPayload & { sub: string }> => {
        if (authorization === undefined) throw new CodedError('unauthorized');
        return { sub: 'op', podium_roles: { [authorization.slice('Bearer '.length)]: 'viewer' } };
      },
    };
    const refusals = new RefusalsService(
      contracts,
      { flush: async () => undefined } as never,
      { page: async () => [] } as never,
    );
    const drift = new DriftService(contracts, { flush: async () => undefined }, { page: async () => [] });
    const module = IngestionModule.of([
      { provide: InternalToken, useValue: new InternalToken(fixed(['the-token'])) },
      { provide: BearerTokens, useValue: bearerTokens },
      { provide: RefusalsService, useValue: refusals },
      { provide: DriftService, useValue: drift },
      { provide: RefusalCounts, useValue: {} },
      { provide: RefusedEvents, useValue: {} },
      { provide: RefusedEventsService, useValue: {} },
      { provide: PartnerContract, useValue: {} },
      { provide: ApplyLinks, useValue: {} },
      { provide: LinkView, useValue: {} },
    ]);
    app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
      logger: false,
    });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.init();
  });
  afterAll(() => app.close());

  it.each([
    ['bypassing the gateway', path, {}, 401, 'unauthorized'],
    ['without a token', path, { 'x-podium-internal-token': 'the-token' }, 401, 'unauthorized'],
    ['of another organizer', path, asOperator('org-zenith'), 404, 'not_found'],
    ['without a platform', bare, asOperator('org-acme'), 400, 'invalid_request'],
    ['with an unknown parameter', `${path}&x=1`, asOperator('org-acme'), 400, 'invalid_request'],
    ['with an invalid limit', `${path}&limit=1e2`, asOperator('org-acme'), 400, 'invalid_request'],
    ['with an invalid cursor', `${path}&cursor=x`, asOperator('org-acme'), 400, 'invalid_request'],
    ['for an unknown platform', `${bare}?platform=none`, asOperator('*'), 404, 'not_found'],
  ])('refuse a request %s', async (_name, url, headers, status, code) => {
    const response = await app.inject({ url, headers: headers as Record<string, string> });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ error: { code } });
  });

  it("respond to the organizer's operators", async () => {
    const response = await app.inject({ url: path, headers: asOperator('org-acme') });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ items: [], next_cursor: null });
  });
});

function asOperator(organizer: string): Record<string, string> {
  return { 'x-podium-internal-token': 'the-token', authorization: `Bearer ${organizer}` };
}
