import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { edgeErrors, errorCatalogue } from '@podium/messages';
import { Value } from '@sinclair/typebox/value';
import { strictly } from '../test/strictly';
import { ReadHandler } from './reads/http/read-handler';
import { readControllers } from './reads/http/read-controllers';
import { readRows } from './reads/rows/read-rows';
import type { ComponentSchema } from './reads/openapi/component-schemas';
import { dataDocument } from './openapi';
import { errorReply, responseComponents } from './reads/openapi/error-responses';

@Module({ controllers: readControllers(readRows), providers: [{ provide: ReadHandler, useValue: {} }] })
class DocumentedModule {}

type ResponseObject = { content?: Record<string, { schema?: object; example?: unknown }> };

describe('OpenAPI of the reads', () => {
  let document: OpenAPIObject;

  beforeAll(async () => {
    const app = await NestFactory.create(DocumentedModule, new FastifyAdapter(), { logger: false });
    document = dataDocument(app);
    await app.close();
  });

  it('has every operation with its path below the server, its name, its tag and its security scheme', () => {
    expect(document.servers).toEqual([{ url: '/data/v4' }]);
    expect(document.security).toEqual([{ 'data-key': [] }]);
    const shown = Object.entries(document.paths).map(([path, { get }]) => [path, get?.operationId, get?.tags]);
    expect(shown.sort()).toEqual(readRows.map(({ path, id, tag }) => [path, id, [tag]]).sort());
  });

  it.each(readRows.map((row) => [row.id, row] as const))('documents the arguments and responses of %s', (_, row) => {
    const operation = document.paths[row.path].get!;
    const declared = [...Object.entries(row.params), ...Object.entries(row.query)];
    expect(operation.parameters).toEqual(
      declared.map(([name, { description, required, schema, example }]) => ({
        name,
        in: name in row.params ? 'path' : 'query',
        description,
        required,
        schema: {
          ...schema,
          ...(schema.type === 'integer' && { format: expect.stringMatching(/^int(32|64)$/) as string }),
          ...(example !== undefined && { example }),
        },
      })),
    );
    const errors = [...edgeErrors, 'payload_too_large' as const].map((code) => errorCatalogue[code].status);
    expect(Object.keys(operation.responses!).map(Number)).toEqual(
      [...new Set([200, 304, ...errors])].sort((a, b) => a - b),
    );
    expect(operation.deprecated).toBe(row.deprecatedSince ? true : undefined);
  });

  it('has examples of arguments that fit their schemas', () => {
    const shown = Object.values(document.paths).flatMap(({ get }) => get!.parameters as { schema: ComponentSchema }[]);
    const examples = shown.flatMap(({ schema: { type, example } }) => (example === undefined ? [] : [[type, example]]));
    const typesOf = { string: 'string', number: 'integer' } as Record<string, string>;
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(([type, example]) => typesOf[typeof example] !== type)).toEqual([]);
  });

  it.each(readRows.map((row) => [row.id, row] as const))('has an example that fits the reply of %s', (_, row) => {
    const { content } = document.paths[row.path].get!.responses!['200'] as ResponseObject;
    const { schema, example } = content!['application/json'];
    expect(schema).toEqual({ $ref: `#/components/schemas/${row.reply.name}` });
    expect([...Value.Errors(strictly(row.reply.schema), example)].map(({ path, message }) => [path, message])).toEqual(
      [],
    );
  });

  it('has an example body for every error', () => {
    for (const [name, response] of Object.entries(responseComponents)) {
      if (name === 'NotModified') continue;
      const { content } = response as { content: { 'application/json': { example: unknown } } };
      expect(Value.Check(strictly(errorReply.schema), content['application/json'].example)).toBe(true);
    }
  });

  it('resolves every reference and uses the keywords of one schema dialect only', () => {
    const text = JSON.stringify(document);
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g))
      expect(document.components?.[kind as 'schemas']).toHaveProperty([name]);
    for (const word of ['"const"', '"pattern"', '"patternProperties"', '"$id"']) expect(text).not.toContain(word);
  });

  it('has no values of several types, of which generators for C#, Kotlin and Rust make classes that read none', () => {
    const text = JSON.stringify(document);
    for (const word of ['"anyOf"', '"oneOf"']) expect(text).not.toContain(word);
    const { PlayerStats, TeamStats, PlayerMatchStats } = document.components!.schemas! as Record<
      string,
      { properties: Record<string, ComponentSchema> }
    >;
    for (const { properties } of [PlayerStats, TeamStats])
      expect(properties.lifetime.additionalProperties).toEqual({ description: 'Of type string or array' });
    const { stats } = PlayerMatchStats.properties;
    expect(stats.additionalProperties).toEqual({ description: 'Of type integer or string' });
    expect(stats).not.toHaveProperty('properties');
    expect(stats).not.toHaveProperty('required');
  });

  it('states the width of integers and the format of date-times', () => {
    const { Championship, Season, RankingEntry } = document.components!.schemas! as Record<
      string,
      { properties: Record<string, object> }
    >;
    expect(Championship.properties.championship_start).toMatchObject({ type: 'integer', format: 'int64' });
    expect(RankingEntry.properties).toMatchObject({ points: { format: 'int32' }, win_rate: { format: 'double' } });
    expect(Season.properties.start_date).toMatchObject({ type: 'string', format: 'date-time' });
  });

  it.each([
    ['getPlayerHistory', { offset: 'int32', limit: 'int32', from: 'int64', to: 'int64' }],
    ['getPlayerMatchesStats', { offset: 'int32', limit: 'int32', from: 'int64', to: 'int64' }],
  ])('states the width of integers among the arguments of %s', (id, formats) => {
    const { path } = readRows.find((row) => row.id === id)!;
    const parameters = document.paths[path].get!.parameters as { name: string; schema: ComponentSchema }[];
    const integers = parameters.filter(({ schema }) => schema.type === 'integer');
    expect(Object.fromEntries(integers.map(({ name, schema }) => [name, schema.format]))).toEqual(formats);
  });

  it('describes start and end of a page as they are', () => {
    const { GamePage, PlayerRanking } = document.components!.schemas! as Record<
      string,
      { properties: Record<string, object> }
    >;
    expect(GamePage.properties).toMatchObject({
      start: { minimum: 0, description: 'Number of items before the first one' },
      end: { description: expect.stringContaining('start plus the number of items') as string },
    });
    expect(PlayerRanking.properties).toMatchObject({
      start: { minimum: 1, description: 'Position of the first item' },
      end: { minimum: 1, description: 'Position of the last item' },
    });
  });

  it('names every shape that a client generator would otherwise name after another one', () => {
    const schemas = document.components!.schemas! as Record<string, ComponentSchema>;
    const pascal = (field: string) => field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const made = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { properties: own, items }]) => own ?? items?.properties)
        .map(([field]) => name + pascal(field)),
    );
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter((name) => name in schemas)).toEqual([]);
  });

  it('has every field that may be omitted in the page for clients', () => {
    const page = readFileSync(resolve(__dirname, '../../../docs/competition-data.md'), 'utf8');
    const [, section = ''] = /^These fields are omitted(.*)^Operators make keys/ms.exec(page) ?? [];
    const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const schemas = document.components!.schemas! as Record<string, ComponentSchema>;
    const omittedIn = (shape: string, { properties = {}, required = [], items }: ComponentSchema): string[] => [
      ...Object.keys(properties).flatMap((field) => (required.includes(field) ? [] : [`${shape}.${field}`])),
      ...Object.entries(properties).flatMap(([field, schema]) => omittedIn(`${shape}.${field}`, schema)),
      ...(items ? omittedIn(shape, items) : []),
    ];
    const omitted = Object.entries(schemas).flatMap(([shape, schema]) => omittedIn(shape, schema));
    for (const field of ['Match.scheduled_at', 'Match.voting.map', 'TournamentBrackets.matches.results'])
      expect(omitted).toContain(field);
    expect(omitted.filter((field) => !named.has(field.split('.').at(-1)!))).toEqual([]);
  });

  it('declares each shape once and refers to it', () => {
    const { MatchPage, Championship } = document.components!.schemas! as Record<string, { properties: object }>;
    expect(MatchPage.properties).toMatchObject({ items: { items: { $ref: '#/components/schemas/Match' } } });
    expect(Championship.properties).toMatchObject({
      game_data: { $ref: '#/components/schemas/Game' },
      organizer_data: { $ref: '#/components/schemas/Organizer' },
    });
  });
});
