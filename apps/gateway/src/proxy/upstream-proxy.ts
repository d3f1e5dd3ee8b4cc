import { asksForPage, errorPage } from '../error-pages/error-page';
import { MemoryBudget } from '../http/byte-budget';
import { ClientAddresses } from '../http/client-address';
import { networkOf } from '../http/client-network';
import {
  EdgeContext,
  Exchange,
  clientGone,
  refuseExchange,
  responseHeaders,
  takeOver,
  traceOf,
} from '../http/exchange';
import { BodyRead, readBody } from '../http/read-body';
import { Refusal, refusalOf, tooLarge } from '../http/refusal';
import { reportResponse } from '../http/report-response';
import { announcedBytes } from '../http/respond';
import { SharedByteBudget } from '../http/shared-byte-budget';
import { CallerGroup, Upstream, UpstreamRoute } from '../routes/route-table';
import { GroupLimits, groupLimits } from './group-limits';
import { RequestsPerClient } from './requests-per-client';
import { UpstreamAddresses } from './upstream-addresses';
import { UpstreamHeaders } from './upstream-headers';

const refusals = {
  notFound: refusalOf('not_found'),
  tooMany: refusalOf('rate_limited', {
    message: 'Too many of your requests are in progress; retry after the time in Retry-After.',
  }),
  tooSlow: refusalOf('request_timeout'),
  unreadable: refusalOf('invalid_request', { message: 'A header or the target has characters that are not allowed.' }),
  overloaded: refusalOf('overloaded', { message: 'Overloaded; retry after the time in Retry-After.' }),
  unavailable: refusalOf('unavailable', {
    message: 'The service is unavailable; retry after the time in Retry-After.',
  }),
};

/** Resources shared by the requests of one group of callers to one service. */
interface Lane {
  readonly addresses: UpstreamAddresses;
  readonly requests: RequestsPerClient;
  readonly budget: SharedByteBudget;
}

/** Forwards requests to the services behind the gateway as its own; responses pass unchanged. */
export class UpstreamProxy {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly parts: EdgeContext & {
      /** All addresses of each service. */
      upstreams: Record<Upstream, readonly string[]>;
      clients: ClientAddresses;
      headers: UpstreamHeaders;
      limits?: Readonly<Record<CallerGroup, GroupLimits>>;
    },
  ) {}

  /** The first hook of a forwarded route. */
  takeOver(route: UpstreamRoute) {
    const lane = this.laneOf(route);
    return takeOver(route.limits, this.parts, {
      handle: (exchange) => this.handle(exchange, route, lane),
      refuse: (exchange, refusal) => this.refuse(exchange, route, refusal),
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.lanes.values()].map(({ addresses }) => addresses.stop()));
  }

  private async handle(exchange: Exchange, route: UpstreamRoute, lane: Lane): Promise<void> {
    const { request } = exchange;
    const target = request.url ?? '/';
    if (!isPlainPath(target)) return this.refuse(exchange, route, refusals.notFound);
    const client = this.parts.clients.addressOf(request);
    const network = networkOf(client);
    // The address of a trusted proxy stands for many clients.
    const hasShare = !this.parts.clients.isTrusted(client);
    const release = hasShare ? lane.requests.take(network) : () => undefined;
    if (!release) return this.refuse(exchange, route, refusals.tooMany);
    const budget = hasShare ? lane.budget.of(network) : lane.budget.whole;
    try {
      const body = await this.readBody(exchange, route, budget);
      if (typeof body === 'string') return this.refuseBody(exchange, route, body);
      try {
        await this.pass(exchange, route, { lane, client, body });
      } finally {
        budget.release(body.length);
      }
    } finally {
      release();
    }
  }

  /** Reads the whole body before a connection to the service is used, so that a slow client holds none. */
  private async readBody(exchange: Exchange, route: UpstreamRoute, budget: MemoryBudget): Promise<BodyRead> {
    const { maxBodyBytes, bodyTimeoutMs } = route.limits;
    if (announcedBytes(exchange.request) === 0) return Buffer.alloc(0);
    return readBody(exchange.request, { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs, budget });
  }

  private async pass(
    exchange: Exchange,
    route: UpstreamRoute,
    { lane, client, body }: { lane: Lane; client: string; body: Buffer },
  ): Promise<void> {
    const { request, response } = exchange;
    if (lane.addresses.isFull()) return this.refuse(exchange, route, refusals.overloaded);
    const method = request.method ?? 'GET';
    const takesBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
    let status: number | null;
    try {
      status = await lane.addresses.pass(
        {
          method,
          target: request.url ?? '/',
          headers: this.parts.headers.of(exchange, client),
          body: takesBody ? body : undefined,
          answerHeaders: responseHeaders(this.parts, exchange),
          answerTimeoutMs: route.limits.answerTimeoutMs,
          ...(asksForPage(request) && { errorPage: (error) => errorPage(error, exchange.requestId) }),
          // Not every GET: an OAuth callback works only once.
          isRepeatable: route.isRead === true,
        },
        response,
      );
    } catch (error) {
      if ((error as { code?: string }).code === 'UND_ERR_INVALID_ARG')
        return this.refuse(exchange, route, refusals.unreadable);
      this.parts.logger.error({ ...traceOf(exchange), err: error }, 'a service behind the gateway did not respond');
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
      case 'no_memory':
        return this.refuse(exchange, route, refusals.overloaded);
      case 'gone':
        return this.report(exchange, route, clientGone);
    }
  }

  private refuse(exchange: Exchange, route: UpstreamRoute, refusal: Refusal): void {
    refuseExchange(this.parts, exchange, refusal);
    this.report(exchange, route, refusal.status);
  }

  private report(exchange: Exchange, route: UpstreamRoute, status: number): void {
    reportResponse(this.parts, exchange, route.id, status);
  }

  private laneOf({ upstream, group }: UpstreamRoute): Lane {
    const key = `${upstream} ${group}`;
    let lane = this.lanes.get(key);
    if (!lane) {
      const limits = (this.parts.limits ?? groupLimits)[group];
      lane = {
        addresses: new UpstreamAddresses(this.parts.upstreams[upstream], limits, this.parts.logger),
        requests: new RequestsPerClient(limits.maxPerClient),
        budget: new SharedByteBudget({
          maxBytes: limits.maxBodyBytes,
          maxBytesPerCaller: limits.maxBodyBytesPerClient,
        }),
      };
      this.lanes.set(key, lane);
    }
    return lane;
  }
}

/** Whether a path has no dot segments. They could reach other paths of the service, where the internal token gives access. */
function isPlainPath(target: string): boolean {
  const path = target.split('?', 1)[0];
  return new URL(path, 'http://service').pathname === path;
}
