import { randomUUID } from 'node:crypto';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { ApiKeyData, KeyScope, createKey, createUuidKey, eventValidationPath } from '@podium/messages';
import { createApplication } from '@podium/runtime/app';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { FastRedis } from '@podium/runtime/redis';
import { reportReadBatches } from '../src/data/read-batch-report';
import { ReadData, dataPoolLimits } from '../src/data/read-data';
import { DocsSite } from '../src/docs/docs-site';
import { EventIdQuestions, eventIdPoolLimits } from '../src/event-ids/event-id-questions';
import { reportBatches } from '../src/events/batch-report';
import { BatchLimits, batchLimits } from '../src/events/batch-limits';
import { EventBatches } from '../src/events/event-batches';
import { eventRoutes } from '../src/events/event-routes';
import { IngestionAddresses } from '../src/events/ingestion-addresses';
import { IngestionClient } from '../src/events/ingestion-client';
import { GatewayMetrics } from '../src/metrics/gateway-metrics';
import { GatewayModule } from '../src/gateway.module';
import { DataKeys } from '../src/keys/data-keys';
import { EventKeys } from '../src/keys/event-keys';
import { LocalShare } from '../src/limits/local-share';
import { OneAtATime } from '../src/limits/one-at-a-time';
import { RateLimiter } from '../src/limits/rate-limiter';
import { ConnectionLimit } from '../src/server/connection-limit';
import { EdgeLimits, EdgeServer, edgeLimits } from '../src/server/edge-server';
import { commonHeadersOf } from '../src/http/common-headers';
import { EdgeContext } from '../src/http/exchange';
import { ClientAddresses } from '../src/http/client-address';
import { PartnerReads, partnerReadPoolLimits } from '../src/partner-reads/partner-reads';
import { PublicEdge } from '../src/server/public-edge';
import { BatchedReads } from '../src/data/batched-reads';
import { UpstreamAddresses } from '../src/proxy/upstream-addresses';
import { UpstreamHeaders } from '../src/proxy/upstream-headers';
import { UpstreamPool } from '../src/proxy/upstream-pool';
import { UpstreamProxy } from '../src/proxy/upstream-proxy';
import { ownToken } from './fake-ingestion';

/** A listening gateway; the test provides the services behind it. */
export interface GatewayUnderTest {
  readonly port: number;
  readonly url: string;
  readonly keys: EventKeys;
  readonly dataKeys: DataKeys;
  readonly registry: Registry;
  readonly batches: EventBatches;
  viewAgeMs: number;
  draining: boolean;
  /** Adds a live event key of a platform. */
  newKey(platform: string, changes?: { notAfterMs?: number; revokedAtMs?: number; scopes?: string[] }): string;
  /** Adds a live data key with a rate of 1,000 reads per second. */
  newDataKey(changes?: Partial<ApiKeyData> & { uuid?: boolean }): { key: string; keyId: string };
  openConnections(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the gateway as `compose` does, with given keys instead of those from Kafka. */
export async function startGateway(options: {
  redisUrl: string;
  ingestionUrls: string[];
  upstreamUrl?: string;
  /** Ingestion, for what partners and operators read there; `upstreamUrl` by default. */
  partnerReadUrls?: string[];
  limits?: Partial<BatchLimits>;
  edgeLimits?: Partial<EdgeLimits>;
  publicUrl?: string;
  /** Folder of the documents that are served; small ones of its own by default. */
  docsDir?: string;
  trustedProxies?: readonly string[];
  maxConnectionsPerClient?: number;
  /** Silent by default. */
  logger?: Logger;
}): Promise<GatewayUnderTest> {
  const { logger = pino({ level: 'silent' }) } = options;
  const registry = new Registry();
  const metrics = new GatewayMetrics(registry);
  // A pause of a busy machine is no loss of Redis here, which would add the local shares to what Redis admits.
  const redis = new FastRedis({ url: options.redisUrl, commandTimeoutMs: 2_000 }, logger, registry);
  const addresses = new IngestionAddresses(options.ingestionUrls, logger);
  const state = { viewAgeMs: 0, draining: false };
  const keys = new EventKeys('test', () => state.viewAgeMs);
  const dataKeys = new DataKeys('test', () => state.viewAgeMs);
  const limiter = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:rate');
  const dataLimiter = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:data-rate');
  const batches = new EventBatches(new IngestionClient(addresses, ownToken), reportBatches(logger, metrics), {
    ...batchLimits,
    ...options.limits,
  });
  const validations = new IngestionClient(addresses, ownToken, eventValidationPath);
  const publicUrl = options.publicUrl ?? 'http://gateway.example';
  const furtherPublicUrls = ['https://further.example'];
  const upstreamUrl = options.upstreamUrl ?? 'http://127.0.0.1:9';
  const upstream = new BatchedReads(upstreamUrl, new UpstreamPool(upstreamUrl, dataPoolLimits), {
    maxUnderWay: dataPoolLimits.maxUnderWay,
    ...reportReadBatches(logger, metrics),
  });
  const ingestionReadUrls = options.partnerReadUrls ?? [upstreamUrl];
  const partnerReads = new UpstreamAddresses(ingestionReadUrls, partnerReadPoolLimits, logger);
  const engagement = new UpstreamPool(upstreamUrl, eventIdPoolLimits);
  const clients = new ClientAddresses(options.trustedProxies ?? []);
  const context: EdgeContext = {
    commonHeaders: commonHeadersOf(publicUrl),
    metrics,
    logger,
    isDraining: () => state.draining,
  };
  const proxy = new UpstreamProxy({
    ...context,
    upstreams: { linkage: [upstreamUrl], engagement: [upstreamUrl], ingestion: ingestionReadUrls },
    clients,
    headers: new UpstreamHeaders(publicUrl, furtherPublicUrls, ownToken),
  });
  const connections = new ConnectionLimit({
    maxPerClient: options.maxConnectionsPerClient ?? 10_000,
    clients,
    onRefused: (reason) => metrics.refusedConnection(reason),
  });
  const ownDocsDir = docsFolder();
  const edge = new PublicEdge({
    ...context,
    server: new EdgeServer({
      publicUrl,
      furtherPublicUrls,
      connections,
      commonHeaders: context.commonHeaders,
      limits: { ...edgeLimits, ...options.edgeLimits },
    }),
    eventRoutes: eventRoutes({ ...context, keys, limiter }, { batches, validations }),
    partnerReads: new PartnerReads({ ...context, keys, limiter, upstream: partnerReads, internalToken: ownToken }),
    eventIds: new EventIdQuestions({
      ...{ ...context, keys, upstream: engagement, internalToken: ownToken },
      limiter: new RateLimiter(redis, new LocalShare(() => 1), 'gateway:event-id-rate'),
      turns: new OneAtATime(redis, { instance: randomUUID(), namespace: 'gateway:reconcile', longestMs: 5_000 }),
    }),
    readData: new ReadData({
      ...context,
      keys: dataKeys,
      limiter: dataLimiter,
      upstream,
      internalToken: ownToken,
    }),
    proxy,
    docs: new DocsSite({ docsDir: options.docsDir ?? ownDocsDir, publicUrl, environment: 'test' }),
  });
  await redis.start();
  await addresses.start();
  const app = await createApplication(
    {
      module: { module: GatewayModule },
      adapter: edge.createAdapter(),
      prepare: async (made) => edge.open(made.getHttpAdapter().getInstance()),
    },
    logger,
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const server = app.getHttpServer() as Server;
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    keys,
    dataKeys,
    registry,
    batches,
    get viewAgeMs() {
      return state.viewAgeMs;
    },
    set viewAgeMs(ms: number) {
      state.viewAgeMs = ms;
    },
    get draining() {
      return state.draining;
    },
    set draining(draining: boolean) {
      state.draining = draining;
    },
    newKey: (platform, changes = {}) => {
      const { key, keyId, hash } = createKey('test', 'ev');
      keys.setKey(keyId, {
        key_id: keyId,
        kind: 'event',
        hash,
        integration_id: 'integration',
        platform,
        scopes: [],
        ...(changes.scopes && { event_scopes: changes.scopes }),
        rate_per_second: 40,
        not_after: changes.notAfterMs ?? null,
        revoked_at: changes.revokedAtMs ?? null,
      });
      return key;
    },
    newDataKey: ({ uuid, ...changes } = {}) => {
      const { key, keyId, hash } = uuid ? createUuidKey() : createKey('test', 'dt');
      dataKeys.setKey(keyId, dataKeyOf(keyId, hash, changes));
      return { key, keyId };
    },
    openConnections: promisify(server.getConnections.bind(server)),
    stop: async () => {
      server.closeAllConnections();
      await app.close();
      await addresses.stop();
      await upstream.stop();
      await partnerReads.stop();
      await engagement.stop();
      await proxy.stop();
      await redis.stop();
      rmSync(ownDocsDir, { recursive: true });
    },
  };
}

/** The record of a live data key with the given changes. */
export function dataKeyOf(keyId: string, hash: string, changes: Partial<ApiKeyData> = {}): ApiKeyData {
  const scopes: KeyScope[] = [{ scope: 'data:read' }];
  return {
    key_id: keyId,
    kind: 'data',
    hash,
    integration_id: null,
    platform: null,
    scopes,
    rate_per_second: 1000,
    not_after: null,
    revoked_at: null,
    ...changes,
  };
}

function docsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-docs-'));
  mkdirSync(join(folder, 'openapi'));
  for (const [name, title] of Object.entries({
    'partner-events': 'Partner events',
    'competition-data': 'Competition data',
  }))
    writeFileSync(
      join(folder, 'openapi', `${name}.json`),
      JSON.stringify({ openapi: '3.0.0', info: { title, version: '1' }, paths: {} }),
    );
  return folder;
}
