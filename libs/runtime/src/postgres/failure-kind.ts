import { isPostgresAway } from './is-postgres-away';
import { isDataError } from './pool';

/**
 * What a failed transaction says: `data`, what was given can never be stored; `outage`, the server is not there or cannot be
 * written to; `size`, everything else: less at once may succeed where this much did not.
 */
export type FailureKind = 'data' | 'outage' | 'size';

/** The kind of what a transaction rejected with. What nobody foresaw counts as `size`: a smaller part shows what it is about. */
export function failureKindOf(error: unknown): FailureKind {
  if (isDataError(error) || isShapeError(error)) return 'data';
  return isServerAway(error) && !maySucceedSmaller(error) ? 'outage' : 'size';
}

/** Refused by our own code for its shape, before Postgres saw it. */
function isShapeError(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof URIError;
}

/** A standby takes no writes (25006): the one that does is to be found. */
function isServerAway(error: unknown): boolean {
  return isPostgresAway(error) || codeOf(error) === '25006';
}

/**
 * Errors of the classes of outages that a large transaction brings about itself: serialization failure, deadlock, out of
 * memory, a configured limit, a statement's time limit on either side, and a message that the protocol cannot carry.
 */
const sizeStates = new Set(['40001', '40P01', '53200', '53400', '57014', '08P01']);

function maySucceedSmaller(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return sizeStates.has(codeOf(error) ?? '') || (typeof message === 'string' && message.includes('Query read timeout'));
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
