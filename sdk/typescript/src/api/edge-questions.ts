import { NoAnswerError, PodiumError } from '../errors/podium-error';
import type { Clock } from '../pacing/clock';
import { RatePacer } from '../pacing/rate-pacer';
import type { ApiAddresses } from './address';
import { headersOf } from './event-key';
import { parsed, retryAfterOf } from './events-api';
import { HttpTransport } from './http-transport';
import { errorOfAnswer } from './parse-answer';
import type { ProxyAddress } from './proxy';

/** What questions to Podium need. */
export interface EdgeQuestionsOptions {
  readonly addresses: ApiAddresses;
  readonly apiKey: () => string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly proxy?: ProxyAddress;
}

/** Longer than Podium waits for events that are on their way. */
const timeoutMs = 30_000;

/** Requests that change nothing, within a rate of their own. Nothing is retried here. */
export class EdgeQuestions {
  private readonly transport: HttpTransport;
  private readonly pacer: RatePacer;

  /** `perSecond`: the rate until an answer names another one. */
  constructor(
    private readonly options: EdgeQuestionsOptions,
    perSecond: number,
  ) {
    this.transport = new HttpTransport(options.proxy);
    this.pacer = new RatePacer(options.clock, perSecond);
  }

  /**
   * Asks by GET, or by POST with a body. `read` returns undefined for a body that is not an answer to this question. Throws
   * PodiumError when the answer is not known.
   */
  async ask<T>(url: URL, body: string | undefined, read: (body: unknown) => T | undefined): Promise<T> {
    const { addresses, apiKey, userAgent } = this.options;
    await this.pacer.take(1);
    const headers = headersOf(apiKey, userAgent);
    if (headers instanceof PodiumError) throw headers;
    const answer = await this.transport.call({ url, headers, body, timeoutMs }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `No response from ${url.origin}: ${reason}. Check the address and the network.`;
      throw new NoAnswerError({ code: 'no_response', message, cause });
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
    );
  }

  /** Closes idle connections. */
  close(): void {
    this.transport.close();
  }
}
