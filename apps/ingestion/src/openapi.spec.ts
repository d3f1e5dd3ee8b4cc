import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorCatalogue } from '@podium/messages';
import { SendEventDocsModule, partnerEventsDocument } from './openapi';
import { sendEventCodes } from './documentation/send-event-documentation.controller';

describe('OpenAPI of the send-event endpoint', () => {
  let document: OpenAPIObject;

  beforeAll(async () => {
    const app = await NestFactory.create(SendEventDocsModule, new FastifyAdapter(), { logger: false });
    document = partnerEventsDocument(app);
    await app.close();
  });

  it('has one operation with its key and its body', () => {
    expect(Object.keys(document.paths)).toEqual(['/cdp/v1/users/events/send']);
    const operation = document.paths['/cdp/v1/users/events/send'].post;
    expect(operation?.operationId).toBe('sendUserEvent');
    expect(operation?.security).toEqual([{ 'event-key': [] }]);
    const schemas = document.components?.schemas as Record<string, { required?: string[]; properties: object }>;
    expect(schemas.SendEventDto.required).toEqual(['platform_user_id', 'platform', 'event']);
    expect(schemas.SendEventDataDto.required).toEqual(['id', 'name', 'created_at']);
    expect(Object.keys(schemas.SendEventAnswerDto.properties)).toEqual(['outcome', 'event_id', 'dropped_attributes']);
  });

  it('shows every code at its status, with an example and Retry-After where the catalogue has one', () => {
    const responses = document.paths['/cdp/v1/users/events/send'].post?.responses as unknown as Record<
      string,
      { headers?: object; content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
    >;
    for (const code of sendEventCodes) {
      const row = errorCatalogue[code];
      const response = responses[row.status];
      expect(response.content['application/json'].examples[code].value).toEqual({
        error: { code, message: row.publicSentence },
      });
      if ('retryAfterS' in row) expect(response.headers).toHaveProperty('Retry-After');
    }
    expect(responses['200'].headers).toHaveProperty('RateLimit-Remaining');
  });
});
