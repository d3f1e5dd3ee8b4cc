import { NoAnswerError, PodiumError } from '../errors/podium-error';
import type { Clock } from '../pacing/clock';
import type { RatePacer } from '../pacing/rate-pacer';
import { ApiAddresses } from './address';
import { headersOf } from './event-key';
import { HttpAnswer, HttpTransport } from './http-transport';
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
}

/** Requests under way at once where there is no batch request. */
const singleRequests = 8;

/** After this time a deployment that had no batch request is asked again: it may have a new release. */
const batchMissingForMs = 600_000;

/** The requests of the API, each within the rate. Nothing is retried here. */
export class EventsApi {
  private readonly transport = new HttpTransport();
  private batchMissingUntilMs = -1;

  constructor(private readonly options: EventsApiOptions) {}

  /** Sends one event. Never rejects. */
  async send(event: EncodedEvent, signal?: AbortSignal): Promise<EventResult> {
    const { addresses, pacer } = this.options;
    await pacer.take(1, signal);
    const answer = await this.post(addresses.send, event.body, signal);
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
    await pacer.take(events.length, signal);
    const answer = await this.post(addresses.batch, batchBody(events), signal);
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
    if (error.code === 'not_found' || error.retry === 'never') {
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

/** The body of a batch: the bodies of its events, unchanged. */
export function batchBody(events: readonly EncodedEvent[]): string {
  return `{"events":[${events.map(({ body }) => body).join(',')}]}`;
}

/** Retry-After in ms, of whole seconds or of a date as proxies send it. */
export function retryAfterOf({ headers }: HttpAnswer): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const untilMs = Date.parse(value) - Date.now();
  return untilMs > 0 ? untilMs : undefined;
}

/** A body as JSON; undefined for any other. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
