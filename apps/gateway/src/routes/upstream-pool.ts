import { ServerResponse } from 'node:http';
import { Dispatcher, Pool } from 'undici';
import { Passage, UpstreamRequest } from './passage';

/** Bounds of the connections to a service; times in ms. */
export interface PoolLimits {
  readonly connections: number;
  /** Most requests that have a connection or wait for one; above it waiting longer would help nobody. */
  readonly maxUnderWay: number;
  /** How long a client may read nothing of an answer that is waiting for it. */
  readonly maxStallMs?: number;
}

const connectTimeoutMs = 1_000;
// The requests' own bounds are tighter; these are for a connection that nobody waits for any more.
const silenceMs = 60_000;

/**
 * Connections to a service. Requests come with their body read and answers go through as bytes: a framework's streams
 * and header objects would cost more than all else that the gateway does. A connection is held by the service alone, never
 * by a client that sends or reads slowly.
 */
export class UpstreamPool {
  private readonly pool: Pool;
  private readonly waiting = new Set<Passage>();
  private busy = 0;

  constructor(
    url: string,
    private readonly limits: PoolLimits,
  ) {
    this.pool = new Pool(url, {
      connections: limits.connections,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      // Below any server's own, so that no request goes into a connection that is just being closed.
      keepAliveTimeout: 4_000,
    });
  }

  /** Requests that have a connection or wait for one. */
  underWay(): number {
    return this.busy + this.waiting.size;
  }

  /** Whether one more request would be too many. */
  isFull(): boolean {
    return this.underWay() >= this.limits.maxUnderWay;
  }

  /**
   * Hands a request on and writes its answer; returns the status, or null for a client that went away. Rejects as long as
   * nothing is written; what breaks later breaks the client's connection.
   */
  pass(request: UpstreamRequest, response: ServerResponse): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (response.destroyed) return resolve(null);
      const passage = new Passage(request, response, { maxStallMs: this.limits.maxStallMs ?? 15_000, resolve, reject });
      passage.onEnd = () => this.end(passage);
      if (this.busy < this.limits.connections) this.begin(passage);
      else this.waiting.add(passage);
    });
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  private begin(passage: Passage): void {
    this.busy += 1;
    passage.begin(this.pool as Dispatcher);
  }

  /** A passage is over, whether it has had a connection or waited for one. */
  private end(passage: Passage): void {
    if (this.waiting.delete(passage)) return;
    this.busy -= 1;
    const [next] = this.waiting;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.begin(next);
  }
}
