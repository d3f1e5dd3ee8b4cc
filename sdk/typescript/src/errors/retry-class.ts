import { errorCodes } from '../generated/error-codes';

/**
 * What happens to an event that was refused. `never`: the same bytes cannot succeed. `later`: it is set aside on a schedule
 * of its own. `pause`: nothing is sent until a person has changed something. `now`: it is sent again after a short delay.
 */
export type RetryClass = 'never' | 'later' | 'pause' | 'now';

/** What an answer that is not a success says; `code` and `retry` are missing when the answer is not Podium's. */
export interface RefusalFacts {
  readonly status: number;
  readonly code?: string;
  readonly retry?: unknown;
}

/** The retry class of an answer: the one it names, otherwise that of its code, otherwise that of its status. */
export function retryClassOf({ status, code, retry }: RefusalFacts): RetryClass {
  if (code === undefined) return classOfForeignAnswer(status);
  if (isRetryClass(retry)) return retry;
  return catalogueRow(code)?.retry ?? classOfStatus(status);
}

/** What an answer may ask for at most: one of a proxy, such as of a date that is years away, must not stop the queue for long. */
const longestRetryAfterMs = 86_400_000;

/** The time that an answer asks for, within bounds. */
export function boundedRetryAfterMs(ms: number): number {
  return Math.max(0, Math.min(ms, longestRetryAfterMs));
}

/** The catalogue's Retry-After of a code in ms. */
export function defaultRetryAfterMs(code: string): number | undefined {
  const retryAfterS = catalogueRow(code)?.retryAfterS;
  return retryAfterS === undefined ? undefined : retryAfterS * 1000;
}

interface CatalogueRow {
  readonly retry: RetryClass;
  readonly retryAfterS?: number;
}

function catalogueRow(code: string): CatalogueRow | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : undefined;
}

/** A code that this version of the SDK does not know. */
function classOfStatus(status: number): RetryClass {
  if (status === 400 || status === 413 || status === 415) return 'never';
  if (status === 404 || status === 422) return 'later';
  if (status === 408 || status === 429 || status >= 500) return 'now';
  return 'pause';
}

/**
 * An answer of something between the caller and Podium, such as a proxy. It says nothing about the event, so the event is
 * never given up. A refused credential, a wrong address or a redirect needs a person.
 */
function classOfForeignAnswer(status: number): RetryClass {
  const needsPerson = (status >= 300 && status < 400) || [401, 403, 404, 405, 407].includes(status);
  return needsPerson ? 'pause' : 'now';
}

function isRetryClass(value: unknown): value is RetryClass {
  return value === 'never' || value === 'later' || value === 'pause' || value === 'now';
}
