import { Pool } from 'undici';

const connectionsPerAddress = 4;
const connectTimeoutMs = 1_000;
const firstRestMs = 1_000;
// Bounded, so that an instance that is well again is soon found; a probe costs nothing but a batch that goes elsewhere.
const longestRestMs = 10_000;

/**
 * One address of the ingestion service with its connections. After a failure it rests, twice as long after each further
 * one; then one batch at a time probes it until one succeeds. An instance that fails has nothing under way: without a
 * rest it would be given everything.
 */
export class IngestionAddress {
  readonly pool: Pool;
  underWay = 0;
  private failures = 0;
  /** Monotonic ms until which it is spared. */
  private restsUntilMs = 0;

  constructor(
    readonly origin: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.pool = new Pool(origin, {
      connections: connectionsPerAddress,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      // Below any server's own, and below the drain of an instance that leaves: no batch goes into a closing connection.
      keepAliveTimeout: 4_000,
    });
  }

  /** It served a batch. */
  succeeded(): void {
    this.failures = 0;
    this.restsUntilMs = 0;
  }

  /** It did not; returns for how many ms it rests, at least as long as given. */
  failed(atLeastMs: number = 0): number {
    const restMs = Math.min(longestRestMs, Math.max(atLeastMs, firstRestMs * 2 ** this.failures));
    this.failures = Math.min(this.failures + 1, 16);
    // Spread, so that not all gateways probe at the same moment.
    const spreadMs = restMs * (0.8 + 0.4 * Math.random());
    this.restsUntilMs = Math.max(this.restsUntilMs, this.nowMs() + spreadMs);
    return Math.round(spreadMs);
  }

  /** Whether it neither rests nor is being probed. */
  isFree(): boolean {
    return this.failures === 0 || (this.restLeftMs() === 0 && this.underWay === 0);
  }

  /** How long it still rests, ms. */
  restLeftMs(): number {
    return Math.max(0, this.restsUntilMs - this.nowMs());
  }
}

/** Whether an address is the better choice: one that is free, then the one that rests the shortest, then the least busy. */
export function isBetter(address: IngestionAddress, than: IngestionAddress): boolean {
  if (address.isFree() !== than.isFree()) return address.isFree();
  if (!address.isFree() && address.restLeftMs() !== than.restLeftMs()) return address.restLeftMs() < than.restLeftMs();
  return address.underWay < than.underWay;
}
