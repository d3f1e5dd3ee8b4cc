import { until } from '../../tools/seed/api';

/** A response of the send-event endpoint as a partner reads it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    outcome?: string;
    event_id?: string;
    dropped_attributes?: string[];
    error?: { code: string; message: string };
  };
}

/** The fields of an event in a partner's request. */
export interface EventFields {
  id: string;
  name: string;
  created_at: number;
  attributes?: { name: string; value: string }[];
}

/** The send-event endpoint as a partner calls it (specification, Send event). */
export class PartnerApi {
  constructor(
    private readonly gatewayUrl: string,
    private readonly apiKey: string,
    private readonly platform: string,
  ) {}

  /** Sends an event of a linked user. */
  send(platformUserId: string, event: EventFields): Promise<Answer> {
    return this.post(JSON.stringify({ platform_user_id: platformUserId, platform: this.platform, event }));
  }

  /** Those of at most 10,000 ids that were never accepted; asks again while the answer is not certain. */
  missing(ids: readonly string[]): Promise<string[]> {
    return until('an answer to reconcile', 30_000, async () => {
      const response = await fetch(`${this.gatewayUrl}/cdp/v1/users/events/reconcile`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.apiKey}` },
        body: JSON.stringify({ ids }),
        signal: AbortSignal.timeout(10_000),
      });
      const { missing } = (await response.json()) as { missing?: string[] };
      return response.ok ? missing : undefined;
    });
  }

  /** Sends any body with any headers. */
  async post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.gatewayUrl}/cdp/v1/users/events/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.apiKey}`, ...headers },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }
}

/** The current time in Unix seconds, as in `created_at`. */
export function nowS(): number {
  return Math.floor(Date.now() / 1000);
}
