import type { RetryClass } from './retry-class';

/** What an error knows about the answer that caused it. */
export interface ErrorDetails {
  readonly message: string;
  /** A code of the error catalogue; without an answer of Podium one of `SdkErrorCode`. */
  readonly code: string;
  /** The HTTP status; missing when there was no answer. */
  readonly status?: number;
  /** Quote it when you contact Podium. */
  readonly requestId?: string;
  /** The section of the error catalogue that explains the code. */
  readonly docsUrl?: string;
  /** Time in ms before which a retry makes no sense. */
  readonly retryAfterMs?: number;
  readonly eventId?: string;
  readonly cause?: unknown;
}

/** Codes of errors without an answer of Podium. */
export type SdkErrorCode =
  | 'no_response'
  | 'unexpected_response'
  | 'key_unusable'
  | 'event_not_encodable'
  | 'event_too_large'
  | 'batch_too_large'
  | 'queue_full'
  | 'queue_failed'
  | 'queue_missing'
  | 'client_closed';

/** Every error that the SDK throws or reports. Each class has its name as a text: a bundle that is minified renames classes. */
export abstract class PodiumError extends Error {
  abstract readonly retry: RetryClass;
  readonly code: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly docsUrl?: string;
  readonly retryAfterMs?: number;
  readonly eventId?: string;

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.docsUrl = details.docsUrl;
    this.retryAfterMs = details.retryAfterMs;
    this.eventId = details.eventId;
  }

  /** Whether the same event can succeed without a change by a person. */
  get retryable(): boolean {
    return this.retry === 'now' || this.retry === 'later';
  }
}

/** The same bytes cannot succeed: correct the event and give it a new try. */
export class RefusedError extends PodiumError {
  override name = 'RefusedError';
  override readonly retry = 'never';
}

/**
 * The user is not linked, the event is not negotiated, or it is minutes ahead of Podium's clock: the same event can succeed
 * once that has changed.
 */
export class RetryLaterError extends PodiumError {
  override name = 'RetryLaterError';
  override readonly retry = 'later';
}

/** Key, address or integration need a person; no event can succeed until then. */
export class SendingPausedError extends PodiumError {
  override name = 'SendingPausedError';
  override readonly retry = 'pause';
}

/** The rate was exceeded, the service is unavailable, or the outcome is unknown: send the same event again. */
export class TemporaryError extends PodiumError {
  override name = 'TemporaryError';
  override readonly retry = 'now';
}

/** The rate was exceeded; `retryAfterMs` says when to go on. */
export class RateLimitedError extends TemporaryError {
  override name = 'RateLimitedError';
}

/**
 * No answer arrived, or one that is not Podium's: whether the event was accepted is unknown, unless the message says that it
 * was not sent.
 */
export class NoAnswerError extends TemporaryError {
  override name = 'NoAnswerError';
}

/** The queue did not take the event: it is full, closed, missing, or its disk failed. */
export class QueueError extends TemporaryError {
  override name = 'QueueError';
}

/** The error of a retry class. */
export function errorOf(retry: RetryClass, details: ErrorDetails): PodiumError {
  switch (retry) {
    case 'never':
      return new RefusedError(details);
    case 'later':
      return new RetryLaterError(details);
    case 'pause':
      return new SendingPausedError(details);
    case 'now':
      return details.status === 429 ? new RateLimitedError(details) : new TemporaryError(details);
  }
}
