import { errorMessage } from '../../errors';
import { StopCause } from '../metrics/kafka-metrics';

/**
 * The error that a handler throws decides what happens to its batch. Handlers throw these three; any other error may depend
 * on the batch's size. The next delivery then is half as large. It counts as an attempt of a record only if that record
 * alone fails while others succeed.
 */

/** The data is at fault: the batch is halved until the faulty record is alone, and that record's attempts count. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** A dependency of the batch is unavailable: it is redelivered until it succeeds, and no attempt is counted. */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}

/**
 * The stored position is not the one that the batch follows: another member was faster, an operator set it, or the database
 * lost its last commits in a failover. No record of the batch may be applied; reading continues at the stored position.
 */
export class PositionMovedError extends Error {
  override readonly name = 'PositionMovedError';
  constructor(place: { readonly topic: string; readonly partition: number; readonly position: bigint | null }) {
    super(
      `the stored position of ${place.topic}/${place.partition} is not ${place.position ?? 'missing'} as this batch expects`,
    );
  }
}

/** The cause of a handler's error. */
export interface Failure {
  readonly cause: StopCause;
  readonly reason: string;
}

/** Classifies an error of a handler. */
export function failureOf(error: unknown): Failure {
  const reason = errorMessage(error);
  if (error instanceof DataError) return { cause: 'record', reason };
  if (error instanceof PositionMovedError) return { cause: 'position', reason };
  return { cause: error instanceof OutageError ? 'dependency' : 'size', reason };
}
