import { Pool } from 'undici';
import { SeededRandom } from '@podium/testing/seeded-random';
import { SendHistory, SentEvent } from './send-history';

/** Timeouts and connections of a sender. */
export interface PostLimits {
  readonly timeoutMs: number;
  readonly connectionsPerGateway: number;
}

const usualLimits: PostLimits = {
  // Longer than the gateway's deadline of 5 s for a response.
  timeoutMs: 8_000,
  // More than all partners send concurrently: no request waits for a connection, so the gateway causes every timeout.
  connectionsPerGateway: 400,
};

/** The result of one request: `taken` is accepted, `again` is to be retried after a pause, `refused` is permanent. */
export type PostResult = { kind: 'taken' } | { kind: 'again'; pauseMs: number } | { kind: 'refused' };

/** Posts events like a load balancer: to a random gateway, and retries through any of them. */
export class EventPost {
  private readonly pools: Pool[];

  constructor(
    gatewayUrls: readonly string[],
    private readonly history: SendHistory,
    private readonly random: SeededRandom,
    private readonly limits: PostLimits = usualLimits,
  ) {
    const connections = limits.connectionsPerGateway;
    this.pools = gatewayUrls.map((url) => new Pool(url, { connections, pipelining: 1 }));
  }

  /** Posts once; never rejects. */
  async post(event: SentEvent, gateway = Math.floor(this.random.next() * this.pools.length)): Promise<PostResult> {
    const { partner, user, fields } = event;
    const sentAtMs = Date.now();
    this.history.requests++;
    try {
      const { statusCode, headers, body } = await this.pools[gateway % this.pools.length].request({
        method: 'POST',
        path: '/cdp/v1/users/events/send',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${partner.keys[0]}` },
        body: JSON.stringify({ platform_user_id: user.platformUserId, platform: partner.platform, event: fields }),
        signal: AbortSignal.timeout(this.limits.timeoutMs),
      });
      const text = await body.text();
      return this.note(event, statusCode, Number(headers['retry-after']), text);
    } catch (error) {
      event.unknown++;
      const { code, name } = error as { code?: string | number; name: string };
      this.history.countTrouble(typeof code === 'string' ? code : name);
      if (name === 'TimeoutError') this.history.unanswered.push({ gateway: gateway + 1, sentAtMs });
      return { kind: 'again', pauseMs: 200 };
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }

  private note(event: SentEvent, status: number, retryAfterS: number, text: string): PostResult {
    // The partner obeys Retry-After, but waits at most 1 s, so that a short run observes the recovery.
    const again: PostResult = { kind: 'again', pauseMs: Math.min(1, retryAfterS || 1) * 1000 };
    if (status === 200) return this.noteTaken(event, text);
    if (status === 429) {
      this.history.rateLimited++;
      return again;
    }
    const code = codeOf(text);
    if (status >= 500) {
      event.unknown++;
      this.history.countTrouble(`${status} ${code}`);
      if (status !== 503 || !retryAfterS) this.history.wrongAnswers.push(`${status} ${text.slice(0, 200)}`);
      return again;
    }
    event.refused.push({ atMs: Date.now(), status, code });
    return { kind: 'refused' };
  }

  private noteTaken(event: SentEvent, text: string): PostResult {
    const { outcome } = JSON.parse(text) as { outcome?: string };
    if (outcome === 'accepted') event.accepted.push(Date.now());
    else if (outcome === 'duplicate') event.duplicate.push(Date.now());
    else this.history.wrongAnswers.push(`200 ${text.slice(0, 200)}`);
    return { kind: 'taken' };
  }
}

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { code: string } }).error.code;
  } catch {
    return text.slice(0, 100);
  }
}
