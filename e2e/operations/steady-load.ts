import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** A request that the load repeats. */
export interface LoadTarget {
  readonly name: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that was not answered with success. */
export interface FailedRequest {
  readonly target: string;
  readonly atMs: number;
  /** Status and start of the body, or the transport's error. */
  readonly what: string;
}

// As many as a busy machine can take: what is due while so many are under way is left out, not made up for.
const connections = 24;
// Above all deadlines of the services, so that whoever gives up says so by an answer.
const timeoutMs = 60_000;

/** Asks in turn for targets at a steady rate over connections that are kept, each request once, whatever becomes of it. */
export class SteadyLoad {
  readonly failed: FailedRequest[] = [];
  readonly latenciesMs: number[] = [];
  private readonly pool: Pool;
  private readonly underWay = new Set<Promise<void>>();
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
        if (this.underWay.size >= connections) return;
        const request = this.request(this.targets[number % this.targets.length]);
        this.underWay.add(request);
        void request.finally(() => this.underWay.delete(request));
      },
    );
  }

  /** Asks no more and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
    await Promise.all(this.underWay);
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

/** Calls `make` at a steady rate until `isOver`; what a pause of this process delayed is made at once after it. */
export async function atRate(ratePerS: number, isOver: () => boolean, make: (number: number) => void): Promise<void> {
  const startedMs = performance.now();
  for (let number = 0; !isOver(); number++) {
    const waitMs = startedMs + (number * 1000) / ratePerS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    make(number);
  }
}
