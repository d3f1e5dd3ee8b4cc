import { ServerResponse } from 'node:http';
import { Logger } from '@podium/runtime/log';
import { UpstreamRequest, UpstreamTimeoutError } from './upstream-call';
import { PoolLimits, UpstreamPool } from './upstream-pool';

/** One address of a service with its connections. */
interface Address {
  readonly url: string;
  readonly pool: UpstreamPool;
  /** Monotonic ms until which other addresses are asked first. */
  restsUntilMs: number;
}

/** How long an address that was unreachable is asked last, ms. */
const restMs = 5_000;

/** Connections to all addresses of a service. Requests go to them in turn, and to another one when one is unreachable. */
export class UpstreamAddresses {
  private readonly addresses: readonly Address[];
  private turn = 0;

  constructor(
    urls: readonly string[],
    /** Connections per address; `maxUnderWay` is for all together. */
    private readonly limits: PoolLimits,
    private readonly logger: Logger,
  ) {
    this.addresses = urls.map((url) => ({ url, pool: new UpstreamPool(url, limits), restsUntilMs: 0 }));
  }

  /** Number of requests that have a connection or wait for one. */
  underWay(): number {
    return this.addresses.reduce((total, { pool }) => total + pool.underWay(), 0);
  }

  /** Whether one more request would be too many. */
  isFull(): boolean {
    return this.underWay() >= this.limits.maxUnderWay;
  }

  /**
   * As `UpstreamPool.pass`, within the time of one answer. A repeatable request is sent to each address once until one answers;
   * none is sent again after it timed out, because its time is over.
   */
  async pass(request: UpstreamRequest, response: ServerResponse): Promise<number | null> {
    const endMs = performance.now() + request.answerTimeoutMs;
    const order = request.isRepeatable ? this.inOrder() : this.inOrder().slice(0, 1);
    let failure: unknown = new Error('the service has no address');
    for (const [at, address] of order.entries()) {
      const answerTimeoutMs = endMs - performance.now();
      if (answerTimeoutMs <= 0) break;
      try {
        const isRepeatable = request.isRepeatable && at === order.length - 1;
        const status = await address.pool.pass({ ...request, answerTimeoutMs, isRepeatable }, response);
        address.restsUntilMs = 0;
        return status;
      } catch (error) {
        // The request itself cannot be sent, wherever to.
        if ((error as { code?: string }).code === 'UND_ERR_INVALID_ARG') throw error;
        failure = error;
        address.restsUntilMs = performance.now() + restMs;
        if (error instanceof UpstreamTimeoutError) break;
        // The last failure is logged by the caller.
        if (at < order.length - 1)
          this.logger.warn({ address: address.url, err: error }, 'an address of a service is unreachable');
      }
    }
    throw failure;
  }

  async stop(): Promise<void> {
    await Promise.all(this.addresses.map(({ pool }) => pool.stop()));
  }

  /** In turn, those that rest last. */
  private inOrder(): readonly Address[] {
    const { addresses } = this;
    this.turn += 1;
    const nowMs = performance.now();
    const turned = addresses.map((_, at) => addresses[(at + this.turn) % addresses.length]);
    const rests = ({ restsUntilMs }: Address): boolean => restsUntilMs > nowMs;
    return [...turned.filter((address) => !rests(address)), ...turned.filter(rests)];
  }
}
