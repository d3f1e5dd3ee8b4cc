import { isPostgresAway } from './is-postgres-away';
import { isDataError } from './refusals';

/**
 * The cause of a failed transaction. `data`: the data can never be stored. `outage`: the server is unavailable or
 * read-only. `size`: everything else, so that a smaller batch may succeed.
 */
export type FailureKind = 'data' | 'outage' | 'size';

/** Classifies the error of a transaction. Unknown errors count as `size`: smaller batches isolate their cause. */
export function failureKindOf(error: unknown): FailureKind {
  if (isDataError(error) || isShapeError(error)) return 'data';
  return isPostgresAway(error) && !maySucceedSmaller(error) ? 'outage' : 'size';
}

/** What `BatchLimit.shrink` is told of a failed transaction: whether a smaller batch may succeed. */
export function batchFailureCause(error: unknown): 'size' | 'other' {
  return failureKindOf(error) === 'outage' ? 'other' : 'size';
}

/** Rejected by this service's own code for its shape, before Postgres received it. */
function isShapeError(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof URIError;
}

/**
 * Errors in the classes of outages that a large transaction causes itself: serialization failure, deadlock, out of memory, a
 * configured limit, a statement's time limit on either side, and a message too large for the protocol.
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
