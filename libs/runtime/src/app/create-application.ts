import { NestFactory } from '@nestjs/core';
import { MicroserviceOptions } from '@nestjs/microservices';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CodedErrorFilter, dtoPipe } from '../http';
import { Logger, NestLog } from '../log';
import { ComposedApp } from './composed-app';
import { createHttpAdapter } from './http-adapter';

/** The framework around what a composition root made, as every service runs it; specs that serve routes use the same. */
export async function createApplication(composed: ComposedApp, logger: Logger): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    composed.module,
    composed.adapter ?? createHttpAdapter(),
    {
      logger: new NestLog(logger),
      abortOnError: false,
      // Fastify's own JSON parser serves; a service that takes forms registers @fastify/formbody in `prepare`.
      bodyParser: false,
    },
  );
  app.useGlobalFilters(new CodedErrorFilter(logger));
  app.useGlobalPipes(dtoPipe());
  for (const strategy of composed.consumers ?? [])
    app.connectMicroservice<MicroserviceOptions>({ strategy }, { inheritAppConfig: false });
  await composed.prepare?.(app);
  return app;
}
