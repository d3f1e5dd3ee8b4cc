import { reconcileLimits } from '@podium/messages';

/** Limits of the requests of a route: size and duration of the body, and time until the response. */
export interface RouteLimits {
  /** A larger body is refused with 413, whether or not its length is announced. */
  readonly maxBodyBytes: number;
  /** From the end of the headers to the end of the body; a slower body is refused with 408. */
  readonly bodyTimeoutMs: number;
  /** From the end of the body until the response begins; later it is 503. */
  readonly answerTimeoutMs: number;
}

const kib = 1024;

/** An event: its deadline runs from the end of the headers, and ingestion needs part of it (`batchLimits`). */
export const eventLimits: RouteLimits = { maxBodyBytes: 64 * kib, bodyTimeoutMs: 3_500, answerTimeoutMs: 5_000 };

/**
 * Memory of the bodies of all single events that are read or not answered yet. A platform of the usual rate cannot have as many as
 * its part holds. One of a high rate could, whose bodies arrive slowly over many connections.
 */
export const eventBodyLimits = { maxBytes: 64 * 1024 * kib, maxBytesPerCaller: 16 * 1024 * kib } as const;

/** A batch of events: the deadline of its events runs from the end of its body. */
export const eventBatchLimits: RouteLimits = {
  maxBodyBytes: 1024 * kib,
  bodyTimeoutMs: 10_000,
  answerTimeoutMs: 5_000,
};

/** Memory of the bodies of all batches that are read or not answered yet; a platform gets that of four of the largest. */
export const batchBodyLimits = {
  maxBytes: 64 * eventBatchLimits.maxBodyBytes,
  maxBytesPerCaller: 4 * eventBatchLimits.maxBodyBytes,
} as const;

/**
 * Questions about event ids. Engagement waits up to `reconcileLimits.waitMs` for events that are on their way, and then needs
 * time for the look-up.
 */
export const eventIdLimits: RouteLimits = {
  maxBodyBytes: reconcileLimits.maxBodyBytes,
  bodyTimeoutMs: 5_000,
  answerTimeoutMs: reconcileLimits.waitMs + 5_000,
};

/** A question about one event id, which is in the address: it has no use for a body, of which up to this size one is discarded. */
export const eventStatusLimits: RouteLimits = { ...eventIdLimits, maxBodyBytes: 64 * kib };

/** A read has no use for a body; up to this size one is discarded. */
export const dataLimits: RouteLimits = { maxBodyBytes: 64 * kib, bodyTimeoutMs: 5_000, answerTimeoutMs: 10_000 };

// Linkage may wait for a partner's server.
const partnerWaitMs = 20_000;

/** Forms and small JSON from clients that are not authenticated yet. */
export const userLimits: RouteLimits = {
  maxBodyBytes: 16 * kib,
  bodyTimeoutMs: 5_000,
  answerTimeoutMs: partnerWaitMs,
};

/** Requests of operators. */
export const operatorLimits: RouteLimits = {
  maxBodyBytes: 64 * kib,
  bodyTimeoutMs: 5_000,
  answerTimeoutMs: partnerWaitMs,
};

/** A contract or a definition may hold thousands of names. */
export const definitionLimits: RouteLimits = { ...operatorLimits, maxBodyBytes: 1024 * kib, bodyTimeoutMs: 10_000 };
