import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** A request that the load repeats. */
export interface LoadTarget {
  readonly name: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request without a successful response. */
export interface FailedRequest {
  readonly target: string;
  readonly atMs: number;
  /** Status and start of the body, or the transport's error. */
  readonly what: string;
}

// Limits the load of a busy machine: requests that are due while all connections are in use are skipped.
const connections = 24;
// Longer than all deadlines of the services, so that a service that gives up still responds.
const timeoutMs = 60_000;

/** Requests the targets in rotation at a steady rate over keep-alive connections, without retries. */
export class SteadyLoad {
  readonly failed: FailedRequest[] = [];
  readonly latenciesMs: number[] = [];
  private readonly pool: Pool;
  private readonly inFlight = new Set<Promise<void>>();
  private isStopped = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    url: string,
    private readonly targets: readonly LoadTarget[],
    private readonly ratePerS: number,
  ) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
  }

  start(): void {
    this.loop = atRate(
      this.ratePerS,
      () => this.isStopped,
      (number) => {
        if (this.inFlight.size >= connections) return;
        const request = this.request(this.targets[number % this.targets.length]);
        this.inFlight.add(request);
        void request.finally(() => this.inFlight.delete(request));
      },
    );
  }

  /** Sends no more requests and waits for those in flight. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
    await Promise.all(this.inFlight);
    await this.pool.close();
  }

  private async request({ name, path, headers }: LoadTarget): Promise<void> {
    const startedMs = performance.now();
    const fail = (what: string): void => void this.failed.push({ target: name, atMs: Date.now(), what });
    try {
      const { statusCode, body } = await this.pool.request({
        method: 'GET',
        path,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await body.text();
      if (statusCode >= 400) fail(`${statusCode} ${text.slice(0, 120)}`);
    } catch (error) {
      const { code, name: kind, message } = error as { code?: string; name: string; message: string };
      fail(`${code ?? kind} ${message}`);
    }
    this.latenciesMs.push(performance.now() - startedMs);
  }
}

/** Calls `make` at a steady rate until `isOver`; calls delayed by a pause of this process follow at once. */
export async function atRate(ratePerS: number, isOver: () => boolean, make: (number: number) => void): Promise<void> {
  const startedMs = performance.now();
  for (let number = 0; !isOver(); number++) {
    const waitMs = startedMs + (number * 1000) / ratePerS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    make(number);
  }
}
