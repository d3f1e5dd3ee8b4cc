import { errorMessage } from '../errors';
import { StopCause } from './kafka-metrics';

/**
 * What a handler throws says what becomes of its batch. The three errors here are what handlers know; any other error may
 * depend on the batch's size: the next delivery is half of it, and it never counts as an attempt of a record unless that
 * record alone fails while others succeed.
 */

/** The data is at fault: the batch is halved until the guilty record stands alone, and that record's attempts count. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/** Something that the batch needs is away: it is delivered again for as long as that takes, and nothing counts as an attempt. */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}

/**
 * The stored position is not the one that the batch follows: another member was faster, an operator set it, or the database
 * lost its last commits in a failover. Nothing of the batch may be applied; reading goes on at the stored position.
 */
export class PositionMovedError extends Error {
  override readonly name = 'PositionMovedError';
  constructor(place: { readonly topic: string; readonly partition: number; readonly position: bigint | null }) {
    super(
      `the stored position of ${place.topic}/${place.partition} is not ${place.position ?? 'missing'} as this batch expects`,
    );
  }
}

/** Why a handler threw. */
export interface Failure {
  readonly cause: StopCause;
  readonly reason: string;
}

/** What an error of a handler means. */
export function failureOf(error: unknown): Failure {
  const reason = errorMessage(error);
  if (error instanceof DataError) return { cause: 'record', reason };
  if (error instanceof PositionMovedError) return { cause: 'position', reason };
  return { cause: error instanceof OutageError ? 'dependency' : 'size', reason };
}
