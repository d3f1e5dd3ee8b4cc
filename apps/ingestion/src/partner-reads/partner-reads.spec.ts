import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpAdapter } from '@podium/runtime/app';
import { fixed } from '@podium/runtime/config';
import { CodedErrorFilter, InternalToken, dtoPipe } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Contracts } from '../contract-view/contracts';
import { DriftService } from '../drift/drift.service';
import { RefusedEventsService } from '../refusals/refused-events.service';
import { PartnerContract } from './partner-contract';
import { PartnerReadsController } from './partner-reads.controller';

const contracts = new Contracts();
const asked: string[] = [];
const writes = { flush: async () => undefined };
const store = {
  page: async (platform: string) => {
    asked.push(platform);
    return [];
  },
};
const refusedEvents = new RefusedEventsService(writes, store);

@Module({
  controllers: [PartnerReadsController],
  providers: [
    { provide: InternalToken, useValue: new InternalToken(fixed(['internal'])) },
    { provide: PartnerContract, useValue: new PartnerContract(contracts) },
    { provide: RefusedEventsService, useValue: refusedEvents },
    { provide: DriftService, useValue: new DriftService(contracts, writes, store) },
  ],
})
class PartnerReadsModule {}

describe('what partners read of themselves', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    for (const platform of ['acme', 'zenith', 'ä %'])
      contracts.apply(platform, {
        ...{ integration_id: 'i', platform, partner: platform, organizer_id: 'o', status: 'active' },
        contracts: [
          { version: 1, in_force_from: 0, events: [{ name: `of-${platform}`, kind: 'one_off', attributes: [] }] },
        ],
      });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    app = await NestFactory.create<NestFastifyApplication>(PartnerReadsModule, createHttpAdapter(), { logger: false });
    app.useGlobalFilters(new CodedErrorFilter(logger));
    app.useGlobalPipes(dtoPipe());
    await app.init();
  });
  afterAll(() => app.close());

  const read = (url: string, platform?: string, headers: Record<string, string> = {}) =>
    app.inject({
      url,
      headers: {
        ...{ 'x-podium-internal-token': 'internal', ...headers },
        ...(platform !== undefined && { 'x-podium-platform': encodeURIComponent(platform) }),
      },
    });

  it.each(['/internal/v1/contract', '/internal/v1/refusals', '/internal/v1/drift'])(
    '%s is for the gateway only',
    async (url) => {
      for (const answer of [
        await read(url),
        await read(url, 'acme', { 'x-podium-internal-token': 'wrong' }),
        await app.inject({ url, headers: { 'x-podium-internal-token': 'internal', 'x-podium-platform': '%' } }),
      ])
        expect([answer.statusCode, answer.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
    },
  );

  it('sends the contract of the platform alone, and 304 to a client that has it', async () => {
    const answer = await read('/internal/v1/contract', 'acme');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache' },
    });
    expect(answer.json()).toMatchObject({ platform: 'acme', in_force: { events: [{ name: 'of-acme' }] } });
    expect(answer.payload).not.toContain('zenith');
    expect((await read('/internal/v1/contract', 'ä %')).json()).toMatchObject({ platform: 'ä %' });
    const etag = String(answer.headers.etag);
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await read('/internal/v1/contract', 'acme', { 'if-none-match': header });
      expect([same.statusCode, same.payload, same.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await read('/internal/v1/contract', 'zenith', { 'if-none-match': etag })).statusCode).toBe(200);
  });

  it('answers 503 while the view lacks the platform', async () => {
    const answer = await read('/internal/v1/contract', 'nobody');
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1e1',
    'cursor=x',
    'surprise=1',
    'code=%00',
    'event_id=',
    'event_id=%00',
    `event_id=${'%C3%A4'.repeat(128)}`,
    'platform=zenith',
  ])('refuses refusals with %s', async (query) => {
    const answer = await read(`/internal/v1/refusals?${query}`, 'acme');
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
  });

  it.each(['limit=0', 'limit=101', 'cursor=x', 'surprise=1', 'platform=zenith'])(
    'refuses drift with %s',
    async (query) => {
      const answer = await read(`/internal/v1/drift?${query}`, 'acme');
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    },
  );

  it('lists the drift of the platform of the key', async () => {
    expect((await read('/internal/v1/drift?limit=5', 'zenith')).json()).toEqual({ items: [], next_cursor: null });
    expect(asked.at(-1)).toBe('zenith');
  });

  it('lists the refusals of the platform of the key', async () => {
    expect((await read('/internal/v1/refusals?code=user_not_linked&event_id=e-1', 'acme')).json()).toEqual({
      items: [],
      next_cursor: null,
    });
    expect(asked.at(-1)).toBe('acme');
  });
});
