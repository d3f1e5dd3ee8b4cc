import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Logger } from '@podium/runtime/log';
import { Pool } from 'undici';

/** One address of the ingestion service with its connections. */
export interface IngestionAddress {
  readonly origin: string;
  readonly pool: Pool;
  underWay: number;
  /** Unix-free monotonic ms until which it is spared; 0 is not at all. */
  restsUntilMs: number;
}

/** Resolves a host name to all of its IP addresses. */
export type ResolveAll = (hostname: string) => Promise<string[]>;

const refreshMs = 5_000;
const connectionsPerAddress = 4;
const connectTimeoutMs = 1_000;

/** All addresses behind INGESTION_URLS, resolved again and again; one that failed rests for a while. */
export class IngestionAddresses {
  private addresses: IngestionAddress[] = [];
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly urls: readonly string[],
    private readonly logger: Logger,
    private readonly resolveAll: ResolveAll = resolveByDns,
  ) {}

  async start(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh(), refreshMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.addresses.map(({ pool }) => pool.close()));
  }

  /** How many addresses are known. */
  size(): number {
    return this.addresses.length;
  }

  /**
   * The address with the least under way among those that do not rest, in turn among equals; of resting ones the one
   * that rests the shortest. Null when none is left beside those already tried.
   */
  pick(tried: ReadonlySet<IngestionAddress>): IngestionAddress | null {
    const nowMs = performance.now();
    const rest = ({ restsUntilMs }: IngestionAddress): number => Math.max(0, restsUntilMs - nowMs);
    let best: IngestionAddress | null = null;
    this.turn += 1;
    for (let at = 0; at < this.addresses.length; at++) {
      const address = this.addresses[(at + this.turn) % this.addresses.length];
      if (tried.has(address)) continue;
      if (
        best === null ||
        rest(address) < rest(best) ||
        (rest(address) === rest(best) && address.underWay < best.underWay)
      )
        best = address;
    }
    return best;
  }

  /** Spares an address for so many ms. */
  rest(address: IngestionAddress, forMs: number): void {
    address.restsUntilMs = performance.now() + forMs;
    this.logger.warn({ address: address.origin, rest_ms: forMs }, 'an ingestion address rests');
  }

  /** Asks DNS again; a name that does not resolve keeps the addresses it had. */
  async refresh(): Promise<void> {
    const origins = new Set<string>();
    try {
      for (const url of this.urls) for (const origin of await this.originsOf(url)) origins.add(origin);
    } catch (error) {
      this.logger.warn({ err: error instanceof Error ? error.message : String(error) }, 'ingestion does not resolve');
      return;
    }
    const kept = this.addresses.filter(({ origin }) => origins.has(origin));
    const left = this.addresses.filter(({ origin }) => !origins.has(origin));
    const known = new Set(kept.map(({ origin }) => origin));
    const added = [...origins].filter((origin) => !known.has(origin)).map(connectionsTo);
    this.addresses = [...kept, ...added];
    for (const { pool } of left) void pool.close().catch(() => undefined);
  }

  private async originsOf(url: string): Promise<string[]> {
    const { hostname, port } = new URL(url);
    const bare = hostname.replace(/^\[|\]$/g, '');
    const ips = isIP(bare) ? [bare] : await this.resolveAll(bare);
    return ips.map((ip) => `http://${ip.includes(':') ? `[${ip}]` : ip}:${port || '80'}`);
  }
}

function connectionsTo(origin: string): IngestionAddress {
  const pool = new Pool(origin, {
    connections: connectionsPerAddress,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    // Below any server's own, and below the drain of an instance that leaves: no batch goes into a closing connection.
    keepAliveTimeout: 4_000,
  });
  return { origin, pool, underWay: 0, restsUntilMs: 0 };
}

async function resolveByDns(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
