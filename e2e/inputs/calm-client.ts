import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerApi, nowS } from '../support/partner-api';
import { InputEnvironment } from './input-environment';

/** Latencies and failures of the well-behaved client; times in ms. */
export interface CalmReport {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The slowest operation. */
  readonly slowest: string;
  /** The failures, one line each. */
  readonly failures: readonly string[];
}

const everyMs = 250;

/** A well-behaved client: it sends an event, reads a player, opens a page and reads a link. */
export class CalmClient {
  private readonly times: number[] = [];
  private readonly failures: string[] = [];
  private slowest = { what: 'nothing', tookMs: 0 };

  constructor(private readonly world: InputEnvironment) {}

  /** Repeats all operations until the signal; failures are recorded. */
  async run(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await this.once();
      await sleep(everyMs);
    }
  }

  /** The report so far. */
  report(): CalmReport {
    const sorted = [...this.times].sort((a, b) => a - b);
    const at = (share: number): number =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
    return {
      requests: sorted.length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
      slowest: this.slowest.what,
      failures: this.failures,
    };
  }

  /** The report so far as text. */
  describe(): string {
    return describeCalm(this.report());
  }

  /** Executes each operation once. */
  async once(): Promise<void> {
    const { gatewayUrl, calm, dataKey, showcase } = this.world;
    const [user] = calm.users;
    const api = new PartnerApi(gatewayUrl, calm.keys[0], calm.platform);
    const event = { id: randomUUID(), name: 'deposit', created_at: nowS() };
    await this.measure('an event', async () => {
      const { status, body } = await api.send(user.platformUserId, event);
      return status === 200 && body.outcome === 'accepted' ? undefined : `${status} ${JSON.stringify(body)}`;
    });
    await this.measure('a read', async () => {
      const answer = await get(`${gatewayUrl}/data/v4/players/${showcase.player.id}`, dataKey);
      return answer.status === 200 && answer.text.includes(showcase.player.nickname)
        ? undefined
        : `${answer.status} ${answer.text}`;
    });
    await this.measure('a page', async () => {
      const answer = await get(`${gatewayUrl}/connect`);
      return answer.status < 400 ? undefined : `${answer.status} ${answer.text}`;
    });
    await this.measure('a link', async () => {
      const answer = await get(`${gatewayUrl}/v1/me/links/${calm.integrationId}`, user.token);
      return answer.status === 200 && answer.text.includes('"ready"') ? undefined : `${answer.status} ${answer.text}`;
    });
  }

  private async measure(what: string, ask: () => Promise<string | undefined>): Promise<void> {
    const startedMs = performance.now();
    const failure = await ask().catch((error: unknown) => String(error));
    const tookMs = performance.now() - startedMs;
    this.times.push(tookMs);
    if (tookMs > this.slowest.tookMs) this.slowest = { what, tookMs };
    if (failure !== undefined) this.failures.push(`${what}: ${failure.slice(0, 300)}`);
  }
}

/** The latencies of a well-behaved client as text. */
export function describeCalm({ requests, p50Ms, p99Ms, maxMs, slowest }: CalmReport): string {
  return `${requests} requests, p50 ${p50Ms} ms, p99 ${p99Ms} ms, maximum ${maxMs} ms (${slowest})`;
}

async function get(url: string, token?: string): Promise<{ status: number; text: string }> {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(30_000) });
  return { status: answer.status, text: await answer.text() };
}
