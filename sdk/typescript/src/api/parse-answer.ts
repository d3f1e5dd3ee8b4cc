import { NoAnswerError, PodiumError, errorOf } from '../errors/podium-error';
import { boundedRetryAfterMs, defaultRetryAfterMs, retryClassOf } from '../errors/retry-class';
import type { EncodedEvent } from './partner-event';

/** Something of an accepted event that was not intended: fix the sender, the event itself is with Podium. */
export interface EventWarning {
  /** `value_not_parsed`: conditions treat the value as absent. `content_differs`: the id was used before. Further codes may follow. */
  readonly code: string;
  /** The path of the field, such as `event.attributes[0].value`. */
  readonly field: string;
  readonly message: string;
}

/** An event that Podium has: accepted now, or before. */
export interface AcceptedEvent {
  readonly ok: true;
  readonly eventId: string;
  readonly outcome: 'accepted' | 'duplicate';
  /** Names of attributes that are not negotiated and were left out. */
  readonly droppedAttributes: readonly string[];
  /** What Podium noticed about an accepted event. */
  readonly warnings: readonly EventWarning[];
}

/** An event that Podium does not have, or may not have. */
export interface FailedEvent {
  readonly ok: false;
  readonly eventId: string;
  readonly error: PodiumError;
}

export type EventResult = AcceptedEvent | FailedEvent;

/** An answer to one event: of a send request, or an element of `results` of a batch. */
export interface EventAnswer {
  readonly status: number;
  /** The parsed body; anything when the answer is not Podium's. */
  readonly body: unknown;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
}

/** What all codes of the catalogue look like. Gateways have errors of the same form, with codes such as `BadRequest`. */
const catalogueCode = /^[a-z][a-z0-9_]{0,63}$/;

/** The result of one event. Only a documented success counts as one: a proxy may answer 200 as well. */
export function resultOf(event: EncodedEvent, answer: EventAnswer, docsUrl: string): EventResult {
  const { outcome, event_id: eventId, dropped_attributes: dropped, warnings } = fieldsOf(answer.body);
  const isSuccess = answer.status === 200 && (outcome === 'accepted' || outcome === 'duplicate');
  if (!isSuccess || eventId !== event.id)
    return { ok: false, eventId: event.id, error: errorOfAnswer(answer, docsUrl, event.id) };
  return {
    ok: true,
    eventId: event.id,
    outcome,
    droppedAttributes: Array.isArray(dropped) ? dropped.filter((name) => typeof name === 'string') : [],
    warnings: Array.isArray(warnings) ? warnings.map(warningOf) : [],
  };
}

function warningOf(given: unknown): EventWarning {
  const { code, field, message } = fieldsOf(given);
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { code: textOf(code), field: textOf(field), message: textOf(message) };
}

/** The error of an answer that is not a success. */
export function errorOfAnswer(answer: EventAnswer, docsUrl: string, eventId?: string): PodiumError {
  const { status, requestId } = answer;
  const { code, message, retry } = fieldsOf(fieldsOf(answer.body).error);
  if (typeof code !== 'string' || !catalogueCode.test(code)) {
    const details = {
      code: 'unexpected_response',
      message: `The response with status ${status} is not one of Podium. Check the address, and proxies on the way.`,
      ...{ status, requestId, eventId, retryAfterMs: answer.retryAfterMs },
    };
    const unknown = retryClassOf({ status });
    return unknown === 'now' ? new NoAnswerError(details) : errorOf(unknown, details);
  }
  return errorOf(retryClassOf({ status, code, retry }), {
    code,
    message: typeof message === 'string' ? message : code,
    docsUrl: `${docsUrl}#${encodeURIComponent(code)}`,
    retryAfterMs: answer.retryAfterMs ?? defaultRetryAfterMs(code),
    ...{ status, requestId, eventId },
  });
}

/** The results of a batch in the order of its events; undefined when the answer is not one to these events. */
export function batchResults(
  events: readonly EncodedEvent[],
  answer: EventAnswer,
  docsUrl: string,
): EventResult[] | undefined {
  const { results } = fieldsOf(answer.body);
  if ((answer.status !== 200 && answer.status !== 207) || !Array.isArray(results) || results.length !== events.length)
    return undefined;
  return events.map((event, at) => {
    const { status, body, retry_after: retryAfterS } = fieldsOf(results[at]);
    return resultOf(
      event,
      {
        status: typeof status === 'number' ? status : 0,
        body,
        retryAfterMs: typeof retryAfterS === 'number' ? boundedRetryAfterMs(retryAfterS * 1000) : undefined,
        requestId: answer.requestId,
      },
      docsUrl,
    );
  });
}

/** The fields of an object; none of anything else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
