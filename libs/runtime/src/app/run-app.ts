import { Server } from 'node:http';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { ConfigOf, Fields, describeConfig, readConfig, serviceFields } from '../config';
import { asError } from '../errors';
import { Health, startHealthServer } from '../health';
import { isClientStreamError, showRequests, showRequestsInFlight } from '../http';
import { Logger, createLog } from '../log';
import { createRegistry } from '../metrics';
import { activeTraceFields, startTracing } from '../trace';
import { closeServer } from './close-server';
import { ComposedApp } from './composed-app';
import { createApplication } from './create-application';
import { Lifecycle } from './lifecycle';
import { OpenResources, leftOpen, openResources } from './open-resources';
import { SecretReload } from './secret-reload';
import { unlessStopping } from './unless-stopping';

/**
 * Connections that may wait to be accepted; the kernel may allow fewer. With Node's 511, a burst of connections overflows
 * the queue. The kernel then drops first packets of other clients, which retry after 1, 3 and 7 seconds.
 */
const backlog = 4096;

/** The share of STOP_SECONDS in which requests in progress may end; the rest is for what follows them. */
const requestShare = 0.8;

/** The objects that every service has; a composition root builds the rest from them. */
export interface AppBase<F extends Fields> {
  readonly config: ConfigOf<F> & ConfigOf<typeof serviceFields>;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
  /**
   * Ends the process with an error after an orderly stop, for failures without recovery such as a stopped consumer. While the
   * process stops, it ends nothing.
   */
  readonly fatal: (error: Error) => void;
}

/** A service: its name, its configuration fields, and its composition root. */
export interface AppDefinition<F extends Fields> {
  readonly service: string;
  readonly fields: F;
  readonly compose: (base: AppBase<F>) => Promise<ComposedApp>;
}

/** Runs a service from start to orderly stop: the one place that reads the environment and handles signals. */
export async function runApp<F extends Fields>(definition: AppDefinition<F>, env: NodeJS.ProcessEnv): Promise<void> {
  // 1. Configuration: a missing or malformed field ends the process with its name.
  const fields = { ...serviceFields, ...definition.fields };
  let config: ConfigOf<F> & ConfigOf<typeof serviceFields>;
  try {
    config = readConfig(fields, env) as unknown as ConfigOf<F> & ConfigOf<typeof serviceFields>;
  } catch (error) {
    process.stderr.write(`${definition.service}: ${(error as Error).message}\n`);
    process.exit(1);
  }

  // 2. Log, metrics and health.
  const logger = createLog({
    service: definition.service,
    instance: config.SERVICE_INSTANCE,
    level: config.LOG_LEVEL,
    fields: config.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? undefined : activeTraceFields,
  });
  logger.info({ config: describeConfig(fields, config as never) }, 'starting');
  const registry = createRegistry(definition.service);
  const health = new Health();
  const lifecycle = new Lifecycle();
  const stop = stopOnce({ config, logger, health, lifecycle, before: openResources() });
  const endWith = (error: Error): void => {
    logger.fatal({ err: error }, 'cannot continue');
    void stop.run(1);
  };
  const fatal = unlessStopping(endWith, { health, logger });
  process.once('SIGTERM', () => void stop.run(0));
  process.once('SIGINT', () => void stop.run(0));
  // After an uncaught error the state of the process is unknown, so it ends. A failed client stream is harmless.
  const uncaught = (reason: unknown): void => {
    if (isClientStreamError(reason))
      logger.error({ err: reason }, 'the stream of a client failed without an error listener');
    else endWith(asError(reason));
  };
  process.on('unhandledRejection', uncaught);
  process.on('uncaughtException', uncaught);

  try {
    const healthServer = await startHealthServer(health, registry, {
      host: config.HTTP_HOST,
      port: config.HEALTH_PORT,
    });
    lifecycle.onStop('close', 'health', async () => void healthServer.close());
    // Registered before everything that creates spans, so that it is stopped last.
    const tracing = startTracing({
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
      service: definition.service,
      instance: config.SERVICE_INSTANCE,
      environment: config.ENVIRONMENT,
      logger,
    });
    if (tracing) lifecycle.onStop('close', 'traces', () => tracing.stop());
    const secrets = new SecretReload(config, logger, registry);
    lifecycle.onStart('secrets', async () => secrets.start());
    lifecycle.onStop('close', 'secrets', () => secrets.stop());

    // 3. The service itself.
    const composed = await definition.compose({ config, logger, registry, health, lifecycle, fatal });
    await lifecycle.start();

    // 4. The framework around it; it accepts requests last.
    const app = await createApplication(composed, logger);
    const server = app.getHttpServer() as Server;
    const requestsInFlight = showRequestsInFlight(server, registry);
    registerFramework(app, composed, lifecycle, health);
    lifecycle.onStop('intake', 'http', () =>
      closeServer({
        server,
        close: () => app.getHttpAdapter().close(),
        requestsInFlight,
        waitMs: config.STOP_SECONDS * 1000 * requestShare,
      }),
    );
    if (!composed.countsRequests) showRequests(app.getHttpAdapter().getInstance(), registry);
    if (composed.consumers && composed.consumers.length > 0) await app.startAllMicroservices();
    await app.listen({ port: config.HTTP_PORT, host: config.HTTP_HOST, backlog });
    health.markStarted();
    logger.info({ port: config.HTTP_PORT }, 'started');
  } catch (error) {
    fatal(asError(error));
  }
}

function registerFramework(
  app: NestFastifyApplication,
  composed: ComposedApp,
  lifecycle: Lifecycle,
  health: Health,
): void {
  // Keep-alive connections are told to close during the drain, so that no client sends to a closing server.
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const closeWhileDraining = (reply: FastifyReply): void => {
    if (health.isDraining()) reply.header('connection', 'close');
  };
  // A reply that a route writes itself is not sent by the framework: it has what was set when its request arrived.
  fastify.addHook('onRequest', (_request, reply, done) => {
    closeWhileDraining(reply);
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    closeWhileDraining(reply);
    done();
  });
  for (const consumer of composed.consumers ?? [])
    lifecycle.onStop('work', consumer.constructor.name, async () => {
      await consumer.close();
    });
}

/** Closed connections disappear after some turns of the event loop. */
const leftOpenGraceMs = 1_000;

function stopOnce(parts: {
  config: { DRAIN_SECONDS: number; STOP_SECONDS: number };
  logger: Logger;
  health: Health;
  lifecycle: Lifecycle;
  /** The resources that were open before the service started. */
  before: OpenResources;
}): { run: (exitCode: number) => Promise<void> } {
  let stopping = false;
  return {
    run: async (exitCode) => {
      if (stopping) return;
      stopping = true;
      const { config, logger, health, lifecycle, before } = parts;
      logger.info({ drain_seconds: config.DRAIN_SECONDS }, 'stopping');
      health.drain();
      if (exitCode === 0) await new Promise((resolve) => setTimeout(resolve, config.DRAIN_SECONDS * 1000));
      const bound = setTimeout(() => {
        logger.fatal({ stop_seconds: config.STOP_SECONDS }, 'did not stop in time');
        process.exit(1);
      }, config.STOP_SECONDS * 1000);
      const clean = await lifecycle.stop(logger);
      clearTimeout(bound);
      const open = await leftOpen(before, leftOpenGraceMs);
      if (open.size > 0)
        logger.warn({ left_open: Object.fromEntries(open) }, 'resources are still open after the stop');
      logger.info({ clean }, 'stopped');
      process.exit(clean ? exitCode : 1);
    },
  };
}
