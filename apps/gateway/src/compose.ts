import { eventValidationPath } from '@podium/messages';
import { AppBase, ComposedApp } from '@podium/runtime/app';
import { asError } from '@podium/runtime/errors';
import { InternalToken } from '@podium/runtime/http';
import { createKafka, kafkaConnection } from '@podium/runtime/kafka';
import { FastRedis } from '@podium/runtime/redis';
import { fields } from './config';
import { ReadData, dataPoolLimits } from './data/read-data';
import { reportReadBatches } from './data/read-batch-report';
import { DocsSite } from './docs/docs-site';
import { EventIdQuestions, eventIdPoolLimits } from './event-ids/event-id-questions';
import { reportBatches } from './events/batch-report';
import { EventBatches } from './events/event-batches';
import { eventRoutes } from './events/event-routes';
import { IngestionAddresses } from './events/ingestion-addresses';
import { IngestionClient } from './events/ingestion-client';
import { GatewayMetrics } from './metrics/gateway-metrics';
import { GatewayModule } from './gateway.module';
import { DataKeys } from './keys/data-keys';
import { EventKeys } from './keys/event-keys';
import { KeyViews } from './keys/key-views';
import { InstanceCount } from './limits/instance-count';
import { LocalShare } from './limits/local-share';
import { OneAtATime } from './limits/one-at-a-time';
import { RateLimiter } from './limits/rate-limiter';
import { ConnectionLimit } from './server/connection-limit';
import { EdgeServer } from './server/edge-server';
import { commonHeadersOf } from './http/common-headers';
import { EdgeContext } from './http/exchange';
import { ClientAddresses } from './http/client-address';
import { PartnerReads, partnerReadPoolLimits } from './partner-reads/partner-reads';
import { eventIdLimits } from './routes/body-limits';
import { PublicEdge } from './server/public-edge';
import { BatchedReads } from './data/batched-reads';
import { UpstreamAddresses } from './proxy/upstream-addresses';
import { UpstreamHeaders } from './proxy/upstream-headers';
import { UpstreamPool } from './proxy/upstream-pool';
import { UpstreamProxy } from './proxy/upstream-proxy';

/** Longer than a reconcile request takes: its body and its answer. */
const longestReconcileMs = eventIdLimits.bodyTimeoutMs + eventIdLimits.answerTimeoutMs + 1_000;

/** The gateway's composition root. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;
  const instance = config.SERVICE_INSTANCE;
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const metrics = new GatewayMetrics(registry);
  const context: EdgeContext = {
    commonHeaders: commonHeadersOf(config.PUBLIC_URL),
    metrics,
    logger,
    isDraining: () => health.isDraining(),
  };

  // 1. Authentication: keys and paused integrations, read completely from linkage's topics.
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'gateway', logger });
  // Before the views have caught up, a valid key would appear unknown and a paused integration active.
  const viewAgeMs = (): number => (views.isCaughtUp() ? views.ageMs() : Infinity);
  const keys: EventKeys = new EventKeys(config.ENVIRONMENT, viewAgeMs);
  const dataKeys: DataKeys = new DataKeys(config.ENVIRONMENT, () =>
    views.isCaughtUp() ? views.keysAgeMs() : Infinity,
  );
  const views = new KeyViews({ eventKeys: keys, dataKeys }, { kafka, instance, logger, registry, onFatal: fatal });
  // Not awaited: while Kafka is unavailable, the instance runs unready and needs no restart when Kafka returns.
  lifecycle.onStart('key views', async () => void views.start().catch((error: unknown) => fatal(asError(error))));
  lifecycle.onStop('work', 'key views', () => views.stop());
  health.gate('key views have caught up', () => views.isCaughtUp());

  // 2. Rates over all instances, in Redis; while Redis is unavailable, each instance grants its own share.
  const redis = new FastRedis({ url: config.LIMITS_REDIS_URL, caFile: config.REDIS_CA_FILE }, logger, registry);
  const count = new InstanceCount(redis, { instance, minInstances: config.RATE_LIMIT_MIN_INSTANCES });
  const instances = (): number => count.instances();
  const limiter = new RateLimiter(redis, new LocalShare(instances), 'gateway:rate');
  const dataLimiter = new RateLimiter(redis, new LocalShare(instances), 'gateway:data-rate');
  const idLimiter = new RateLimiter(redis, new LocalShare(instances), 'gateway:event-id-rate');
  const turns = new OneAtATime(redis, { instance, namespace: 'gateway:reconcile', longestMs: longestReconcileMs });
  lifecycle.onStart('redis', () => redis.start());
  lifecycle.onStart('instance count', () => count.start());
  lifecycle.onStop('close', 'redis', () => redis.stop());
  lifecycle.onStop('work', 'instance count', () => count.stop());

  // 3. Upstreams: batches go to all addresses of ingestion, reads to competition-read; other requests are forwarded.
  const addresses = new IngestionAddresses(config.INGESTION_URLS, logger);
  const batches = new EventBatches(new IngestionClient(addresses, internalToken), reportBatches(logger, metrics));
  lifecycle.onStart('ingestion addresses', () => addresses.start());
  lifecycle.onStop('close', 'ingestion addresses', () => addresses.stop());
  lifecycle.onStop('work', 'event batches', () => batches.drained());
  // Connections of their own, so that slow validations hold up no event.
  const validationAddresses = new IngestionAddresses(config.INGESTION_URLS, logger);
  const validations = new IngestionClient(validationAddresses, internalToken, eventValidationPath);
  lifecycle.onStart('ingestion addresses for validations', () => validationAddresses.start());
  lifecycle.onStop('close', 'ingestion addresses for validations', () => validationAddresses.stop());

  const upstream = new BatchedReads(
    config.COMPETITION_READ_URL,
    new UpstreamPool(config.COMPETITION_READ_URL, dataPoolLimits),
    { maxUnderWay: dataPoolLimits.maxUnderWay, ...reportReadBatches(logger, metrics) },
  );
  lifecycle.onStop('close', 'data upstream', () => upstream.stop());
  const partnerReads = new UpstreamAddresses(config.INGESTION_URLS, partnerReadPoolLimits, logger);
  lifecycle.onStop('close', 'partner reads', () => partnerReads.stop());
  const engagement = new UpstreamPool(config.ENGAGEMENT_URL, eventIdPoolLimits);
  lifecycle.onStop('close', 'event id upstream', () => engagement.stop());
  const clients = new ClientAddresses(config.TRUSTED_PROXIES);
  const proxy = new UpstreamProxy({
    ...context,
    upstreams: {
      linkage: [config.LINKAGE_URL],
      engagement: [config.ENGAGEMENT_URL],
      ingestion: config.INGESTION_URLS,
    },
    clients,
    headers: new UpstreamHeaders(config.PUBLIC_URL, config.FURTHER_PUBLIC_URLS, internalToken),
  });
  lifecycle.onStop('close', 'upstreams', () => proxy.stop());

  // 4. The public server.
  const connections = new ConnectionLimit({
    maxPerClient: config.MAX_CONNECTIONS_PER_CLIENT,
    clients,
    onRefused: (reason) => metrics.refusedConnection(reason),
  });
  const docs = new DocsSite({
    docsDir: config.DOCS_DIR,
    publicUrl: config.PUBLIC_URL,
    environment: config.ENVIRONMENT,
  });
  if (!docs.isBuilt) logger.warn({ folder: config.DOCS_DIR }, 'no built documentation: /docs says how to build it');
  const edge = new PublicEdge({
    ...context,
    server: new EdgeServer({
      publicUrl: config.PUBLIC_URL,
      furtherPublicUrls: config.FURTHER_PUBLIC_URLS,
      connections,
      commonHeaders: context.commonHeaders,
    }),
    eventRoutes: eventRoutes({ ...context, keys, limiter }, { batches, validations }),
    partnerReads: new PartnerReads({ ...context, keys, limiter, upstream: partnerReads, internalToken }),
    eventIds: new EventIdQuestions({
      ...{ ...context, keys, limiter: idLimiter, turns, upstream: engagement, internalToken },
    }),
    readData: new ReadData({ ...context, keys: dataKeys, limiter: dataLimiter, upstream, internalToken }),
    proxy,
    docs,
  });

  // 5. Metrics of states.
  metrics.state('gateway_limiter_mode', '0: rates in Redis, 1: own share while Redis is unavailable', () =>
    Number([limiter, dataLimiter, idLimiter].some((each) => each.isLocal())),
  );
  metrics.state('gateway_queue_events', 'Events that wait for a batch', () => batches.queued());
  metrics.state('gateway_ingestion_resting', 'Addresses of ingestion that rest after a failure', () =>
    addresses.resting(),
  );
  metrics.states('gateway_reads_under_way', 'Reads that wait for their answer, by what is read', {
    data: () => upstream.underWay(),
    'partner-reads': () => partnerReads.underWay(),
    'event-ids': () => engagement.underWay(),
  });
  metrics.state('gateway_key_view_age_seconds', 'Since Kafka last confirmed the keys', () => views.ageMs() / 1000);
  metrics.state('gateway_unreadable_keys', 'Keys and integrations whose record could not be read', () =>
    keys.unreadable(),
  );

  return {
    module: { module: GatewayModule },
    adapter: edge.createAdapter(),
    countsRequests: true,
    prepare: async (app) => edge.open(app.getHttpAdapter().getInstance()),
  };
}
