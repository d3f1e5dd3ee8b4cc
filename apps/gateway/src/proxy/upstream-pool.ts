import { ServerResponse } from 'node:http';
import { Dispatcher, Pool } from 'undici';
import { serviceConnections } from './service-connections';
import { UpstreamCall, UpstreamRequest } from './upstream-call';

/** Limits of the connections to a service; times in ms. */
export interface PoolLimits {
  readonly connections: number;
  /** Most requests that have a connection or wait for one; more would only wait until their timeout. */
  readonly maxUnderWay: number;
  /** How long a client may leave a waiting response unread. */
  readonly maxStallMs?: number;
}

/**
 * Connections to a service. Requests come with their body read, and responses pass as bytes: a framework's streams and
 * header objects would cost more than all other work of the gateway. Only the service can hold a connection, never a
 * client that sends or reads slowly.
 */
export class UpstreamPool {
  private readonly pool: Pool;
  private readonly waiting = new Set<UpstreamCall>();
  private busy = 0;

  constructor(
    url: string,
    private readonly limits: PoolLimits,
  ) {
    this.pool = new Pool(url, {
      connections: limits.connections,
      ...serviceConnections,
    });
  }

  /** Number of requests that have a connection or wait for one. */
  underWay(): number {
    return this.busy + this.waiting.size;
  }

  /** Whether one more request would be too many. */
  isFull(): boolean {
    return this.underWay() >= this.limits.maxUnderWay;
  }

  /**
   * Forwards a request and writes its response; returns the status, or null for a client that disconnected. Rejects only
   * while nothing is written; a later failure closes the client's connection. The response must be one that always closes
   * (`closeQueuedResponses`).
   */
  pass(request: UpstreamRequest, response: ServerResponse): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (response.destroyed) return resolve(null);
      const call = new UpstreamCall(request, response, {
        maxStallMs: this.limits.maxStallMs ?? 15_000,
        resolve,
        reject,
      });
      call.onEnd = () => this.end(call);
      if (this.busy < this.limits.connections) this.begin(call);
      else this.waiting.add(call);
    });
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  private begin(call: UpstreamCall): void {
    this.busy += 1;
    call.begin(this.pool as Dispatcher);
  }

  /** A call has ended, whether it had a connection or waited for one. */
  private end(call: UpstreamCall): void {
    if (this.waiting.delete(call)) return;
    this.busy -= 1;
    const [next] = this.waiting;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.begin(next);
  }
}
