import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorMessage } from '@podium/runtime/errors';
import { Logger } from '@podium/runtime/log';
import { IngestionAddress, isBetter } from './ingestion-address';

/** Resolves a host name to all of its IP addresses. */
export type ResolveAll = (hostname: string) => Promise<string[]>;

const refreshMs = 5_000;

/** All addresses behind INGESTION_URLS, resolved every 5 s. */
export class IngestionAddresses {
  /** The origins of each URL when it was last resolved. */
  private readonly originsByUrl = new Map<string, readonly string[]>();
  private readonly resolving = new Map<string, Promise<void>>();
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

  /** Number of known addresses. */
  size(): number {
    return this.addresses.length;
  }

  /** Number of resting addresses. */
  resting(): number {
    return this.addresses.filter((address) => address.restLeftMs() > 0).length;
  }

  /**
   * The least busy address among those that do not rest, in turn among equals. When all rest, the one with the shortest
   * rest. Null when all were tried already.
   */
  pick(tried: ReadonlySet<IngestionAddress>): IngestionAddress | null {
    let best: IngestionAddress | null = null;
    this.turn += 1;
    for (let at = 0; at < this.addresses.length; at++) {
      const address = this.addresses[(at + this.turn) % this.addresses.length];
      if (tried.has(address)) continue;
      if (best === null || isBetter(address, best)) best = address;
    }
    return best;
  }

  /** Call when an address did not serve a batch: it rests at least as long as given, ms. */
  failed(address: IngestionAddress, atLeastMs?: number): void {
    const restMs = address.failed(atLeastMs);
    this.logger.warn({ address: address.origin, rest_ms: restMs }, 'an ingestion address rests');
  }

  /** Resolves the names again; one that does not resolve keeps its addresses, and changes none of another. */
  async refresh(): Promise<void> {
    await Promise.all(this.urls.map((url) => this.resolve(url)));
  }

  /** At most one look-up of each name at a time: while DNS hangs, more would take all threads that look names up. */
  private resolve(url: string): Promise<void> {
    let resolving = this.resolving.get(url);
    if (!resolving) {
      resolving = this.lookUp(url).finally(() => this.resolving.delete(url));
      this.resolving.set(url, resolving);
    }
    return resolving;
  }

  private async lookUp(url: string): Promise<void> {
    try {
      this.originsByUrl.set(url, await this.originsOf(url));
    } catch (error) {
      this.logger.warn({ url, err: errorMessage(error) }, 'one of INGESTION_URLS cannot be resolved');
      return;
    }
    this.takeOrigins();
  }

  private takeOrigins(): void {
    const origins = new Set([...this.originsByUrl.values()].flat());
    const kept = this.addresses.filter(({ origin }) => origins.has(origin));
    const left = this.addresses.filter(({ origin }) => !origins.has(origin));
    const known = new Set(kept.map(({ origin }) => origin));
    const added = [...origins].filter((origin) => !known.has(origin)).map((origin) => new IngestionAddress(origin));
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

async function resolveByDns(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
