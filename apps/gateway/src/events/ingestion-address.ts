import { Pool } from 'undici';
import { serviceConnections } from '../proxy/service-connections';

const connectionsPerAddress = 4;
const firstRestMs = 1_000;
// Limited, so that a recovered instance is found soon; a failed probe only sends a batch to another instance.
const longestRestMs = 10_000;

/**
 * One address of the ingestion service with its connections and a circuit breaker. After a failure it rests: it gets no
 * batches for a time that doubles with each further failure. Then one batch at a time probes it until one succeeds. An
 * instance that fails fast is never busy: without the rest it would get every batch.
 */
export class IngestionAddress {
  readonly pool: Pool;
  underWay = 0;
  private failures = 0;
  /** Monotonic ms until which it gets no batch. */
  private restsUntilMs = 0;

  constructor(
    readonly origin: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.pool = new Pool(origin, {
      connections: connectionsPerAddress,
      ...serviceConnections,
    });
  }

  /** Call when it served a batch. */
  succeeded(): void {
    this.failures = 0;
    this.restsUntilMs = 0;
  }

  /** Call when it failed to serve a batch; returns for how many ms it rests, at least as long as given. */
  failed(atLeastMs: number = 0): number {
    const restMs = Math.min(longestRestMs, Math.max(atLeastMs, firstRestMs * 2 ** this.failures));
    this.failures = Math.min(this.failures + 1, 16);
    // Jitter, so that not all gateways probe at the same moment.
    const jitteredMs = restMs * (0.8 + 0.4 * Math.random());
    this.restsUntilMs = Math.max(this.restsUntilMs, this.nowMs() + jitteredMs);
    return Math.round(jitteredMs);
  }

  /** Whether it neither rests nor is being probed. */
  isFree(): boolean {
    return this.failures === 0 || (this.restLeftMs() === 0 && this.underWay === 0);
  }

  /** The remaining rest, ms. */
  restLeftMs(): number {
    return Math.max(0, this.restsUntilMs - this.nowMs());
  }
}

/** Whether an address is the better choice: first a free one, then the one with the shortest rest, then the least busy. */
export function isBetter(address: IngestionAddress, than: IngestionAddress): boolean {
  if (address.isFree() !== than.isFree()) return address.isFree();
  if (!address.isFree() && address.restLeftMs() !== than.restLeftMs()) return address.restLeftMs() < than.restLeftMs();
  return address.underWay < than.underWay;
}
