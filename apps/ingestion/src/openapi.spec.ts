import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorCatalogue } from '@podium/messages';
import { SendEventDocsModule, partnerEventsDocument } from './openapi';
import { parseEvent } from './event/parse-event';
import { reconcileCodes, statusCodes } from './documentation/event-ids-documentation.controller';
import { partnerReadCodes } from './documentation/partner-reads-documentation.controller';
import { batchCodes, sendEventCodes } from './documentation/send-event-documentation.controller';

interface ResponseWithHeaders {
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
}

describe("OpenAPI of the partners' events", () => {
  let document: OpenAPIObject;

  beforeAll(async () => {
    const app = await NestFactory.create(SendEventDocsModule, new FastifyAdapter(), { logger: false });
    document = partnerEventsDocument(app);
    await app.close();
  });

  const operationOf = (name: string) => {
    const { get, post } = document.paths[`/cdp/v1/users/events/${name}`];
    return post ?? get;
  };

  it('has an operation for one event, one for several and one for a check, with their key and bodies', () => {
    const names = ['send', 'batch', 'validate', 'reconcile', 'status'];
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        ...names.map((name) => `/cdp/v1/users/events/${name}`),
        '/cdp/v1/contract',
        '/cdp/v1/refusals',
        '/cdp/v1/drift',
      ].sort(),
    );
    expect(operationOf('send')?.operationId).toBe('sendUserEvent');
    expect(operationOf('batch')?.operationId).toBe('sendUserEventBatch');
    expect(operationOf('validate')?.operationId).toBe('validateUserEvent');
    for (const name of ['send', 'batch', 'validate'])
      expect(operationOf(name)?.security).toEqual([{ 'event-key': [] }]);
    const schemas = document.components?.schemas as Record<string, { required?: string[]; properties: object }>;
    expect(schemas.SendEventDto.required).toEqual(['platform_user_id', 'platform', 'event']);
    expect(schemas.SendEventDataDto.required).toEqual(['id', 'name', 'created_at']);
    expect(schemas.SendEventAnswerDto.required).toEqual(['outcome', 'event_id', 'dropped_attributes']);
    expect(schemas.EventReportDto.required).toContain('warnings');
    expect(schemas.SendEventProblemDto.required).toEqual(['code', 'message', 'retry']);
    expect(schemas.SendEventBatchDto.properties).toMatchObject({ events: { minItems: 1, maxItems: 100 } });
    expect(schemas.SendEventResultDto.required).toEqual(['status', 'body']);
  });

  it.each(['contract', 'refusals', 'drift'])('has the read of %s with its key and errors', (name) => {
    const operation = document.paths[`/cdp/v1/${name}`].get;
    expect(operation?.security).toEqual([{ 'event-key': [] }]);
    const statuses = Object.keys(operation?.responses ?? {}).map(Number);
    for (const code of partnerReadCodes) expect(statuses).toContain(errorCatalogue[code].status);
    expect(statuses.includes(304)).toBe(name === 'contract');
  });

  it.each([
    ['send', sendEventCodes, ['200']],
    ['batch', batchCodes, ['200', '207']],
    ['validate', batchCodes, ['200']],
    ['reconcile', reconcileCodes, ['200']],
    ['status', statusCodes, ['200']],
  ] as const)('shows every code of %s at its status, with an example and Retry-After', (name, codes, successes) => {
    const responses = operationOf(name)?.responses as unknown as Record<
      string,
      { headers?: object; content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
    >;
    for (const code of codes) {
      const row = errorCatalogue[code];
      const response = responses[row.status];
      expect(response.content['application/json'].examples[code].value).toEqual({
        error: { code, message: row.publicSentence, retry: row.retry },
      });
      if ('retryAfterS' in row) expect(response.headers).toHaveProperty('Retry-After');
    }
    expect(Object.keys(responses[400].content['application/json'].examples)).toEqual(
      name === 'send' ? ['invalid_request', 'invalid_request_later'] : ['invalid_request'],
    );
    expect(Object.keys(responses[400].headers ?? {})).toEqual(name === 'send' ? ['Retry-After'] : []);
    for (const status of successes) expect(responses[status].headers).toHaveProperty('RateLimit-Remaining');
  });

  it('has a refusal of the media type where a request has a body, and nowhere else', () => {
    for (const [path, { get, post }] of Object.entries(document.paths)) {
      const has415 = Object.keys((get ?? post)?.responses ?? {}).includes('415');
      expect([path, has415]).toEqual([path, post !== undefined]);
    }
  });

  it('asks nobody to encode a parameter, because clients of OpenAPI do', () => {
    const operations = Object.values(document.paths).flatMap(({ get, post }) => [get, post]);
    const parameters = operations.flatMap((operation) => operation?.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(3);
    expect(JSON.stringify(parameters)).not.toMatch(/encoded/i);
  });

  it.each([
    ['send', /^Events per second/, /^Events left/],
    ['validate', /^Events per second/, /^Events left/],
    ['reconcile', /^Questions about event ids per second/, /^Questions left/],
    ['status', /^Questions about event ids per second/, /^Questions left/],
  ])('says what the rate headers of %s count, in successes and at 429', (name, limit, remaining) => {
    const responses = Object.values(operationOf(name)?.responses ?? {}) as ResponseWithHeaders[];
    const withRate = responses.filter(({ headers }) => headers?.['RateLimit-Limit']);
    expect(withRate).toHaveLength(2);
    for (const { headers } of withRate) {
      expect(headers?.['RateLimit-Limit'].description).toMatch(limit);
      expect(headers?.['RateLimit-Remaining'].description).toMatch(remaining);
    }
  });

  it.each(['send', 'batch', 'validate'])('has an example of the body of %s that is accepted as it is', (name) => {
    const { content } = operationOf(name)?.requestBody as {
      content: { 'application/json': { examples: Record<string, { value: object }> } };
    };
    const values = Object.values(content['application/json'].examples).map(({ value }) => value);
    const events = values.flatMap((value) => ('events' in value ? (value.events as object[]) : [value]));
    expect(events.length).toBeGreaterThan(0);
    for (const event of events)
      expect(parseEvent(Buffer.from(JSON.stringify(event)), Date.now())).toMatchObject({ ok: true });
    const ids = events.map((event) => (event as { event: { id: string } }).event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
