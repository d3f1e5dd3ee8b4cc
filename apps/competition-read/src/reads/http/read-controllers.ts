import { Controller, Get, Req, Res, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadHandler } from './read-handler';
import { formatOf } from '../openapi/component-schemas';
import { headersOf } from '../openapi/headers';
import { dataPath, routeOf } from './page-links';
import type { Parameter } from '../arguments/parameter';
import type { ReadRow } from '../rows/read-row';

/** A controller per tag, with a route per row; the decorators of methods are applied as functions. */
export function readControllers(rows: readonly ReadRow[]): Type[] {
  const byTag = new Map<string, ReadRow[]>();
  for (const row of rows) byTag.set(row.tag, [...(byTag.get(row.tag) ?? []), row]);
  return [...byTag].map(([tag, ofTag]) => controllerOf(tag, ofTag));
}

function controllerOf(tag: string, rows: readonly ReadRow[]): Type {
  @ApiTags(tag)
  @Controller(dataPath.slice(1))
  class ReadController {
    constructor(readonly handler: ReadHandler) {}
  }
  Object.defineProperty(ReadController, 'name', { value: `${tag}Controller` });
  for (const row of rows) addRoute(ReadController, row);
  return ReadController;
}

function addRoute(controller: Type<{ readonly handler: ReadHandler }>, row: ReadRow): void {
  const handle = function (this: { readonly handler: ReadHandler }, request: FastifyRequest, reply: FastifyReply) {
    return this.handler.answer(row, request, reply);
  };
  Object.defineProperty(controller.prototype, row.id, { value: handle, writable: true, configurable: true });
  Req()(controller.prototype, row.id, 0);
  Res()(controller.prototype, row.id, 1);
  const decorators: MethodDecorator[] = [
    Get(routeOf(row).slice(1)),
    ApiOperation({
      operationId: row.id,
      summary: row.summary,
      description: row.description,
      ...(row.deprecatedSince && { deprecated: true }),
    }),
    ...Object.entries(row.params).map(([name, parameter]) => ApiParam({ name, ...shown(parameter) })),
    ...Object.entries(row.query).map(([name, parameter]) => ApiQuery({ name, ...shown(parameter) })),
    ApiOkResponse({
      description: row.summary,
      headers: headersOf(row),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${row.reply.name}` } } },
    }),
  ];
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, row.id)!;
  for (const decorate of decorators) decorate(controller.prototype, row.id, descriptor);
}

function shown({ description, required, schema, example }: Parameter): object {
  const format = formatOf(schema);
  return {
    description,
    required,
    schema: { ...schema, ...(format !== undefined && { format }), ...(example !== undefined && { example }) },
  };
}
