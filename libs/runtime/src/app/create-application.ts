import { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { MicroserviceOptions } from '@nestjs/microservices';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedErrorFilter, dtoPipe, guardClientStreams, internalTokenHeader } from '../http';
import { Logger, NestLog } from '../log';
import { keepActiveSpans, traceRequests, tracer } from '../trace';
import { ComposedApp } from './composed-app';
import { createHttpAdapter } from './http-adapter';
import { takeJsonBodies } from './json-bodies';

/** Creates the framework application of a composed app, for services and for specs that serve routes. */
export async function createApplication(composed: ComposedApp, logger: Logger): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    composed.module,
    composed.adapter ?? createHttpAdapter(),
    {
      logger: new NestLog(logger),
      abortOnError: false,
      // `takeJsonBodies` follows; a service that accepts forms registers @fastify/formbody in `prepare`.
      bodyParser: false,
    },
  );
  guardClientStreams(app.getHttpServer() as Server);
  takeJsonBodies(app.getHttpAdapter().getInstance());
  app.useGlobalFilters(new CodedErrorFilter(logger));
  app.useGlobalPipes(dtoPipe());
  for (const strategy of composed.consumers ?? [])
    app.connectMicroservice<MicroserviceOptions>({ strategy }, { inheritAppConfig: false });
  if (tracer()) traceHttp(app, composed);
  // Most responses belong to one user or hold a secret, such as a new key. A cacheable response must set its own header.
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      done();
    });
  await composed.prepare?.(app);
  return app;
}

/** Runs before all other hooks, so that a request that one of them responds to also has a span. */
function traceHttp(app: NestFastifyApplication, { internalToken, keepsActiveSpans }: ComposedApp): void {
  const keepActive = keepsActiveSpans === true;
  if (keepActive) keepActiveSpans();
  traceRequests(app.getHttpAdapter().getInstance(), {
    isTrusted: ({ headers }) => internalToken?.isHeldBy(headers[internalTokenHeader]) ?? false,
    keepActive,
  });
}
