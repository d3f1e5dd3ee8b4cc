import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import {
  ApiKeyData,
  BatchedAnswer,
  BatchedEvent,
  KeyScope,
  createKey,
  createUuidKey,
  decodeEvents,
  encodeAnswers,
} from '@podium/messages';
import { createApplication } from '@podium/runtime/app';
import { fixed } from '@podium/runtime/config';
import { InternalToken } from '@podium/runtime/http';
import { Registry } from '@podium/runtime/metrics';
import { FastRedis } from '@podium/runtime/redis';
import { ReadData, dataPoolLimits } from '../src/data/read-data';
import { DocsSite } from '../src/docs/docs-site';
import { reportBatches } from '../src/events/batch-report';
import { BatchLimits, EventBatches, batchLimits } from '../src/events/event-batches';
import { IngestionAddresses } from '../src/events/ingestion-addresses';
import { IngestionClient } from '../src/events/ingestion-client';
import { SendEvent } from '../src/events/send-event';
import { GatewayMetrics } from '../src/gateway-metrics';
import { GatewayModule } from '../src/gateway.module';
import { DataKeys } from '../src/keys/data-keys';
import { EventKeys } from '../src/keys/event-keys';
import { LocalShare } from '../src/limits/local-share';
import { RateLimiter } from '../src/limits/rate-limiter';
import { ConnectionBound } from '../src/routes/connection-bound';
import { EdgeLimits, EdgeServer, edgeLimits } from '../src/routes/edge-server';
import { headersOfEveryAnswer } from '../src/routes/every-answer';
import { ForwardedClient } from '../src/routes/forwarded-client';
import { PublicEdge } from '../src/routes/public-edge';
import { UpstreamHeaders } from '../src/routes/upstream-headers';
import { UpstreamPool } from '../src/routes/upstream-pool';
import { UpstreamProxy } from '../src/routes/upstream-proxy';

/** The token that the gateway under test sends to the services behind it. */
export const internalToken = 'internal-token-of-the-test';
export const ownToken = new InternalToken(fixed([internalToken]));

/** A gateway that really listens; its neighbours are the test's. */
export interface GatewayUnderTest {
  readonly port: number;
  readonly url: string;
  readonly keys: EventKeys;
  readonly dataKeys: DataKeys;
  readonly registry: Registry;
  readonly batches: EventBatches;
  viewAgeMs: number;
  draining: boolean;
  /** Makes a live event key of a platform. */
  newKey(platform: string, changes?: { notAfterMs?: number; revokedAtMs?: number }): string;
  /** Makes a live data key that reads 1,000 times a second. */
  newDataKey(changes?: Partial<ApiKeyData> & { uuid?: boolean }): { key: string; keyId: string };
  stop(): Promise<void>;
}

/** Starts the gateway as `compose` does, with keys by hand instead of Kafka's. */
export async function startGateway(options: {
  redisUrl: string;
  ingestionUrls: string[];
  upstreamUrl?: string;
  limits?: Partial<BatchLimits>;
  edgeLimits?: Partial<EdgeLimits>;
  publicUrl?: string;
  trustedProxies?: readonly string[];
  maxConnectionsPerClient?: number;
}): Promise<GatewayUnderTest> {
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const metrics = new GatewayMetrics(registry);
  const redis = new FastRedis({ url: options.redisUrl }, logger, registry);
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
  const isDraining = (): boolean => state.draining;
  const publicUrl = options.publicUrl ?? 'http://gateway.example';
  const upstreamUrl = options.upstreamUrl ?? 'http://127.0.0.1:9';
  const upstream = new UpstreamPool(upstreamUrl, dataPoolLimits);
  const clients = new ForwardedClient(options.trustedProxies ?? []);
  const everyAnswer = headersOfEveryAnswer(publicUrl);
  const proxy = new UpstreamProxy({
    upstreams: { linkage: upstreamUrl, engagement: upstreamUrl, ingestion: upstreamUrl },
    clients,
    headers: new UpstreamHeaders(publicUrl, ownToken),
    everyAnswer,
    metrics,
    logger,
    isDraining,
  });
  const bound = new ConnectionBound({
    maxPerClient: options.maxConnectionsPerClient ?? 10_000,
    clients,
    onRefused: (reason) => metrics.refusedConnection(reason),
  });
  const edge = new PublicEdge({
    server: new EdgeServer({ publicUrl, bound, everyAnswer, limits: { ...edgeLimits, ...options.edgeLimits } }),
    sendEvent: new SendEvent({ keys, limiter, batches, everyAnswer, metrics, logger, isDraining }),
    readData: new ReadData({
      keys: dataKeys,
      limiter: dataLimiter,
      upstream,
      internalToken: ownToken,
      everyAnswer,
      metrics,
      logger,
      isDraining,
    }),
    proxy,
    docs: new DocsSite({ docsDir: docsFolder(), publicUrl, environment: 'test' }),
    everyAnswer,
    metrics,
    logger,
    isDraining,
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
    stop: async () => {
      server.closeAllConnections();
      await app.close();
      await addresses.stop();
      await upstream.stop();
      await proxy.stop();
      await redis.stop();
    },
  };
}

/** The record of a live data key with everything that `changes` does not say. */
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

/** An ingestion service as the gateway sees it: answers each event of a frame as told. */
export class FakeIngestion {
  readonly batches: BatchedEvent[][] = [];
  readonly timesLeftMs: number[] = [];
  /** Says that what it answers with 5XX is not produced. */
  notProduced = false;
  answer: (event: BatchedEvent) => BatchedAnswer = accepted;
  /** Takes over a whole request: to hang, to break. */
  whole: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  private server: Server | undefined;

  async start(port = 0): Promise<string> {
    this.server = createServer((request, response) => void this.handle(request, response));
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers['x-podium-internal-token'] !== internalToken) return void response.writeHead(401).end();
    this.timesLeftMs.push(Number(request.headers['x-podium-time-left-ms']));
    const events = decodeEvents(Buffer.concat(chunks));
    this.batches.push(events);
    if (this.notProduced) response.setHeader('x-podium-not-produced', '1');
    if (this.whole) return this.whole(request, response);
    response.end(encodeAnswers(events.map((event) => this.answer(event))));
  }
}

/** The answer to an accepted event. */
export function accepted(): BatchedAnswer {
  const body = Buffer.from('{"outcome":"accepted","event_id":"e","dropped_attributes":[]}');
  return { status: 200, retryAfterS: 0, body };
}

/** What came back over a raw connection: each answer's status, headers and body, and whether the server closed it. */
export interface RawExchange {
  readonly text: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly closed: boolean;
}

/** Writes bytes to the gateway as they are, and reads until it closes or `quietMs` pass after an answer. */
export function rawExchange(
  port: number,
  bytes: string | Buffer,
  options: { quietMs?: number; timeoutMs?: number; keepWriting?: (socket: Socket) => void } = {},
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      options.keepWriting?.(socket);
    });
    let text = '';
    let closed = false;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve(parseAnswer(text, closed));
    };
    const limit = setTimeout(finish, options.timeoutMs ?? 20_000);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(finish, options.quietMs ?? 300);
    });
    socket.on('end', () => {
      closed = true;
      finish();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
      finish();
    });
  });
}

function parseAnswer(text: string, closed: boolean): RawExchange {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { text, status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), closed };
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
