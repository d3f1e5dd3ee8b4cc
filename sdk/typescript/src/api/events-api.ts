import { NoAnswerError, PodiumError } from '../errors/podium-error';
import { boundedRetryAfterMs } from '../errors/retry-class';
import type { Clock } from '../pacing/clock';
import type { RatePacer } from '../pacing/rate-pacer';
import { ApiAddresses } from './address';
import { headersOf } from './event-key';
import { HttpAnswer, HttpTransport } from './http-transport';
import type { ProxyAddress } from './proxy';
import { EventAnswer, EventResult, batchResults, errorOfAnswer, resultOf } from './parse-answer';
import type { EncodedEvent } from './partner-event';

/** What requests need. */
export interface EventsApiOptions {
  readonly addresses: ApiAddresses;
  /** Read for each request, so that a key can be rotated. */
  readonly apiKey: () => string;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly pacer: RatePacer;
  readonly proxy?: ProxyAddress;
}

/** Requests under way at once where there is no batch request. */
const singleRequests = 8;

/** After this time a deployment that had no batch request is asked again: it may have a new release. */
const batchMissingForMs = 600_000;

/** The requests of the API, each within the rate. Nothing is retried here. */
export class EventsApi {
  private readonly transport: HttpTransport;
  private batchMissingUntilMs = -1;

  constructor(private readonly options: EventsApiOptions) {
    this.transport = new HttpTransport(options.proxy);
  }

  /** Sends one event. Never rejects. */
  async send(event: EncodedEvent, signal?: AbortSignal): Promise<EventResult> {
    const { addresses } = this.options;
    const answer = await this.postInTurn(1, addresses.send, event.body, signal);
    return answer instanceof PodiumError
      ? { ok: false, eventId: event.id, error: answer }
      : resultOf(event, answer, addresses.docsUrl);
  }

  /**
   * Sends events in one request; never rejects. Where the deployment has no such request, or refuses it as a whole, each
   * event gets a request of its own: an event is never given up for what another contains.
   */
  async sendBatch(events: readonly EncodedEvent[], signal?: AbortSignal): Promise<EventResult[]> {
    const { addresses, clock, pacer } = this.options;
    if (events.length === 1 || clock.nowMs() < this.batchMissingUntilMs) return this.sendEach(events, signal);
    const answer = await this.postInTurn(events.length, addresses.batch, batchBody(events), signal);
    if (!(answer instanceof PodiumError)) {
      const results = batchResults(events, answer, addresses.docsUrl);
      if (results) {
        const limited = results.find((result) => !result.ok && result.error.status === 429);
        if (limited && !limited.ok) pacer.block(limited.error.retryAfterMs ?? 1000);
        return results;
      }
    }
    const error = answer instanceof PodiumError ? answer : errorOfAnswer(answer, addresses.docsUrl);
    if (error.code === 'not_found') this.batchMissingUntilMs = clock.nowMs() + batchMissingForMs;
    if (isRefusedAsWhole(error)) {
      // Podium counts a batch that it refuses as one request, and its headers have said so.
      pacer.giveBack(events.length);
      return this.sendEach(events, signal);
    }
    return events.map(({ id }) => ({ ok: false, eventId: id, error }));
  }

  /** Closes idle connections. */
  close(): void {
    this.transport.close();
  }

  private async sendEach(events: readonly EncodedEvent[], signal?: AbortSignal): Promise<EventResult[]> {
    const results: EventResult[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < events.length; at = next++) results[at] = await this.send(events[at], signal);
    };
    await Promise.all(Array.from({ length: singleRequests }, worker));
    return results;
  }

  /** Posts a number of events as soon as the rate has a place for them. */
  private async postInTurn(
    events: number,
    url: URL,
    body: string,
    signal?: AbortSignal,
  ): Promise<EventAnswer | PodiumError> {
    await this.options.pacer.take(events, signal);
    if (!signal?.aborted) return this.post(url, body, signal);
    const message =
      'Not sent: the request was ended while it waited for its place in the rate. Send the event again with the same id.';
    return new NoAnswerError({ code: 'no_response', message, cause: signal.reason });
  }

  private async post(url: URL, body: string, signal?: AbortSignal): Promise<EventAnswer | PodiumError> {
    const { apiKey, userAgent, timeoutMs, pacer } = this.options;
    const headers = headersOf(apiKey, userAgent);
    if (headers instanceof PodiumError) return headers;
    let answer: HttpAnswer;
    try {
      answer = await this.transport.call({ url, headers, body, timeoutMs, signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `No response: ${reason}. The outcome is unknown; send the event again with the same id.`;
      return new NoAnswerError({ code: 'no_response', message, cause: error });
    }
    pacer.learn(answer.headers);
    const retryAfterMs = retryAfterOf(answer);
    if (answer.status === 429) pacer.block(retryAfterMs ?? 1000);
    const requestId = answer.headers['x-request-id'];
    return {
      status: answer.status,
      body: parsed(answer.body),
      retryAfterMs,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    };
  }
}

/** Of a proxy: the same batch can succeed a moment later. */
const momentaryStatuses: readonly number[] = [408, 425, 429];

/**
 * Whether a batch was refused for what it contains or for its size, by Podium or by a proxy, so that its events may succeed
 * alone. A proxy may take smaller bodies than Podium. Not sent singly: 401, 403, 404, 405 and 407, which pause, and momentary
 * ones.
 */
function isRefusedAsWhole({ code, retry, status = 0 }: PodiumError): boolean {
  if (code !== 'unexpected_response') return code === 'not_found' || retry === 'never';
  return retry === 'now' && status >= 400 && status < 500 && !momentaryStatuses.includes(status);
}

/** The body of a batch: the bodies of its events, unchanged. */
export function batchBody(events: readonly EncodedEvent[]): string {
  return `{"events":[${events.map(({ body }) => body).join(',')}]}`;
}

/** More digits are no number of seconds, but a time of another kind. */
const delaySeconds = /^\d{1,9}$/;
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Retry-After in ms, of whole seconds or of a date as proxies send it; undefined for any other text. A date is compared with
 * the answer's own `Date`: the clock of this machine may be off.
 */
export function retryAfterOf({ headers }: Pick<HttpAnswer, 'headers'>): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (delaySeconds.test(value)) return boundedRetryAfterMs(Number(value) * 1000);
  const answeredAtMs = timeOf(headers.date) ?? Date.now();
  const waitMs = (timeOf(value) ?? answeredAtMs) - answeredAtMs;
  return waitMs > 0 ? boundedRetryAfterMs(waitMs) : undefined;
}

/** An HTTP date in Unix ms. Its oldest form names no zone; it is GMT as the others (RFC 9110, section 5.6.7). */
function timeOf(date: string | undefined): number | undefined {
  if (date === undefined || !httpDate.test(date)) return undefined;
  const timeMs = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** A body as JSON; undefined for any other. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
