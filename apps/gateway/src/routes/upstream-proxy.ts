import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Logger } from '@podium/runtime/log';
import { GatewayMetrics } from '../gateway-metrics';
import { announcedBytes, refuse } from './answer';
import { ByteBudget } from './byte-budget';
import { ClientShare } from './client-share';
import { networkOf } from './connection-bound';
import { Exchange, clientGone, takeOver } from './exchange';
import { ForwardedClient } from './forwarded-client';
import { BodyRead, readBody } from './read-body';
import { Refusal, refusalOf, tooLarge } from './refusal';
import { reportAnswer } from './report-answer';
import { CallerGroup, Upstream, UpstreamRoute } from './route-table';
import { UpstreamHeaders } from './upstream-headers';
import { PoolLimits, UpstreamPool } from './upstream-pool';

/** Bounds of the requests of one group of callers to one service; sizes in bytes. */
export interface GroupLimits extends PoolLimits {
  /** Most requests of one client that the service has or that wait for a connection to it. */
  readonly maxPerClient: number;
  /** Of all bodies that are being read or handed on. */
  readonly maxBodyBytes: number;
}

const mib = 1024 * 1024;

/** The gateway's bounds: each group is there for itself, whatever the others do. */
export const groupLimits: Readonly<Record<CallerGroup, GroupLimits>> = {
  users: { connections: 64, maxUnderWay: 1_000, maxPerClient: 64, maxBodyBytes: 32 * mib },
  // Each may wait for a partner's server. Linkage bounds those waits, and what comes beside them has connections left.
  callbacks: { connections: 512, maxUnderWay: 1_000, maxPerClient: 32, maxBodyBytes: 8 * mib },
  operators: { connections: 32, maxUnderWay: 200, maxPerClient: 32, maxBodyBytes: 64 * mib },
};

const refusals = {
  notFound: refusalOf('not_found'),
  tooMany: refusalOf('rate_limited', { message: 'Too many of your requests are under way; wait for Retry-After.' }),
  tooSlow: refusalOf('request_timeout'),
  unreadable: refusalOf('invalid_request', { message: 'A header or the target has characters that are not allowed.' }),
  overloaded: refusalOf('overloaded', { message: 'Too much at once; retry after Retry-After.' }),
  unavailable: refusalOf('unavailable', { message: 'The service cannot answer now; retry after Retry-After.' }),
  failed: refusalOf('internal_error'),
};

/** What the requests of one group share on their way to one service. */
interface Lane {
  readonly pool: UpstreamPool;
  readonly shares: ClientShare;
  readonly budget: ByteBudget;
}

/** Hands requests to the services behind, as the gateway's own; answers pass unchanged. */
export class UpstreamProxy {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly parts: {
      upstreams: Record<Upstream, string>;
      clients: ForwardedClient;
      headers: UpstreamHeaders;
      /** Headers of every answer. */
      everyAnswer: readonly string[];
      metrics: GatewayMetrics;
      logger: Logger;
      isDraining: () => boolean;
      limits?: Readonly<Record<CallerGroup, GroupLimits>>;
    },
  ) {}

  /** The first hook of a handed-on route; `done` is never called, as nothing after it shall run. */
  takeOver(route: UpstreamRoute) {
    const lane = this.laneOf(route);
    return (request: FastifyRequest, reply: FastifyReply, _done: HookHandlerDoneFunction): void => {
      const exchange = takeOver(request, reply);
      this.handle(exchange, route, lane).catch((error: unknown) => this.fail(exchange, route, error));
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.lanes.values()].map(({ pool }) => pool.stop()));
  }

  private async handle(exchange: Exchange, route: UpstreamRoute, lane: Lane): Promise<void> {
    const { request } = exchange;
    const target = request.url ?? '/';
    if (!isPlainPath(target)) return this.refuse(exchange, route, refusals.notFound);
    const body = await this.readBody(exchange, route, lane);
    if (typeof body === 'string') return this.refuseBody(exchange, route, body);
    const client = this.parts.clients.addressOf(request);
    const leave = this.parts.clients.isTrusted(client) ? () => undefined : lane.shares.take(networkOf(client));
    try {
      if (leave) await this.pass(exchange, route, { lane, client, body });
      else this.refuse(exchange, route, refusals.tooMany);
    } finally {
      lane.budget.give(body.length);
      leave?.();
    }
  }

  /** Whole and before a connection to the service is taken: how fast the client sends is nobody else's concern. */
  private async readBody(exchange: Exchange, route: UpstreamRoute, { budget }: Lane): Promise<BodyRead> {
    const { maxBodyBytes, bodyTimeoutMs } = route.limits;
    const announced = announcedBytes(exchange.request);
    if (announced === 0) return Buffer.alloc(0);
    if (announced > maxBodyBytes && announced !== Infinity) return 'too_large';
    return readBody(exchange.request, { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs, budget });
  }

  private async pass(
    exchange: Exchange,
    route: UpstreamRoute,
    { lane, client, body }: { lane: Lane; client: string; body: Buffer },
  ): Promise<void> {
    const { request, response } = exchange;
    if (lane.pool.isFull()) return this.refuse(exchange, route, refusals.overloaded);
    const method = request.method ?? 'GET';
    const takesBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
    const answerHeaders = this.headersOf(exchange);
    if (this.parts.isDraining()) answerHeaders.push('connection', 'close');
    let status: number | null;
    try {
      status = await lane.pool.pass(
        {
          method,
          target: request.url ?? '/',
          headers: this.parts.headers.of(exchange, client),
          body: takesBody ? body : undefined,
          answerHeaders,
          answerTimeoutMs: route.limits.answerTimeoutMs,
          // A callback is a GET that works once.
          isRepeatable: false,
        },
        response,
      );
    } catch (error) {
      if ((error as { code?: string }).code === 'UND_ERR_INVALID_ARG')
        return this.refuse(exchange, route, refusals.unreadable);
      this.parts.logger.error(
        { request_id: exchange.requestId, err: error },
        'a service behind the gateway did not answer',
      );
      return this.refuse(exchange, route, refusals.unavailable);
    }
    this.report(exchange, route, status ?? clientGone);
  }

  private refuseBody(exchange: Exchange, route: UpstreamRoute, read: Exclude<BodyRead, Buffer>): void {
    switch (read) {
      case 'too_large':
        return this.refuse(exchange, route, tooLarge(route.limits.maxBodyBytes));
      case 'too_slow':
        return this.refuse(exchange, route, refusals.tooSlow);
      case 'no_room':
        return this.refuse(exchange, route, refusals.overloaded);
      case 'gone':
        return this.report(exchange, route, clientGone);
    }
  }

  private refuse(exchange: Exchange, route: UpstreamRoute, refusal: Refusal): void {
    refuse(exchange.request, exchange.response, refusal, {
      headers: this.headersOf(exchange),
      close: this.parts.isDraining(),
      maxBodyBytes: route.limits.maxBodyBytes,
    });
    this.report(exchange, route, refusal.status);
  }

  private fail(exchange: Exchange, route: UpstreamRoute, error: unknown): void {
    this.parts.logger.error({ request_id: exchange.requestId, err: error }, 'a handed-on request failed');
    if (exchange.response.headersSent) exchange.response.destroy();
    else this.refuse(exchange, route, refusals.failed);
  }

  private report(exchange: Exchange, route: UpstreamRoute, status: number): void {
    reportAnswer(this.parts, exchange, route.id, status);
  }

  private headersOf({ requestId }: Exchange): string[] {
    return ['x-request-id', requestId, ...this.parts.everyAnswer];
  }

  private laneOf({ upstream, group }: UpstreamRoute): Lane {
    const key = `${upstream} ${group}`;
    let lane = this.lanes.get(key);
    if (!lane) {
      const limits = (this.parts.limits ?? groupLimits)[group];
      lane = {
        pool: new UpstreamPool(this.parts.upstreams[upstream], limits),
        shares: new ClientShare(limits.maxPerClient),
        budget: new ByteBudget(limits.maxBodyBytes),
      };
      this.lanes.set(key, lane);
    }
    return lane;
  }
}

/** Whether a target's path is as written: dot segments would leave the row's part of the service, where the internal token opens everything. */
function isPlainPath(target: string): boolean {
  const path = target.split('?', 1)[0];
  return new URL(path, 'http://service').pathname === path;
}
