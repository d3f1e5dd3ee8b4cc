import { NoAnswerError, PodiumError } from '../errors/podium-error';
import type { Clock } from '../pacing/clock';
import { RatePacer } from '../pacing/rate-pacer';
import type { ApiAddresses } from './address';
import { parsed, retryAfterOf } from './events-api';
import { HttpTransport } from './http-transport';
import { errorOfAnswer } from './parse-answer';

/** What the questions about event ids need. */
export interface EventIdsApiOptions {
  readonly addresses: ApiAddresses;
  readonly apiKey: () => string;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** Limits of one reconcile request. */
export const reconcileLimits = { maxIds: 10_000, maxIdBytes: 255, maxBodyBytes: 3 * 1024 * 1024 } as const;

/** Questions per second of a platform, until an answer names another rate. */
const questionsPerSecond = 4;

/** Longer than Podium waits for events that are on their way. */
const timeoutMs = 30_000;

/** Asks whether events were accepted, within the rate of these questions. Nothing is retried here. */
export class EventIdsApi {
  private readonly transport = new HttpTransport();
  private readonly pacer: RatePacer;

  constructor(private readonly options: EventIdsApiOptions) {
    this.pacer = new RatePacer(options.clock, questionsPerSecond);
  }

  /** Whether the event with this id was accepted; throws PodiumError when that is not known. */
  async isAccepted(id: string): Promise<boolean> {
    const url = new URL(this.options.addresses.status);
    url.searchParams.set('id', id);
    return this.ask(url, undefined, (body) => {
      const { accepted } = fieldsOf(body);
      return typeof accepted === 'boolean' ? accepted : undefined;
    });
  }

  /** Those of at most 10,000 ids that were never accepted; throws PodiumError when that is not known. */
  async missing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = new Set(ids);
    return this.ask(this.options.addresses.reconcile, JSON.stringify({ ids }), (body) => {
      const { missing } = fieldsOf(body);
      // A proxy may answer 200 as well: only ids that were asked about are an answer.
      const isAnswer = Array.isArray(missing) && missing.every((id) => asked.has(id as string));
      return isAnswer ? new Set(missing as string[]) : undefined;
    });
  }

  /** Closes idle connections. */
  close(): void {
    this.transport.close();
  }

  private async ask<T>(url: URL, body: string | undefined, read: (body: unknown) => T | undefined): Promise<T> {
    const { addresses, apiKey, userAgent } = this.options;
    await this.pacer.take(1);
    const headers = { authorization: `Bearer ${apiKey()}`, 'user-agent': userAgent };
    const answer = await this.transport.call({ url, headers, body, timeoutMs }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new NoAnswerError({ code: 'no_response', message: `No response: ${reason}.`, cause });
    });
    this.pacer.learn(answer.headers);
    const retryAfterMs = retryAfterOf(answer);
    if (answer.status === 429) this.pacer.block(retryAfterMs ?? 1000);
    const result = answer.status === 200 ? read(parsed(answer.body)) : undefined;
    if (result !== undefined) return result;
    const requestId = answer.headers['x-request-id'];
    throw errorOfAnswer(
      {
        ...{ status: answer.status, body: parsed(answer.body), retryAfterMs },
        ...(typeof requestId === 'string' && { requestId }),
      },
      addresses.docsUrl,
    ) satisfies PodiumError;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
