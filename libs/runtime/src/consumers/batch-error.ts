import { asError, errorMessage } from '../errors';
import { DataError, OutageError, PositionMovedError } from '../kafka';
import { failureKindOf } from '../postgres';

/**
 * Classifies the error of a failed batch transaction for the consumer: `DataError`, `OutageError`, or the error itself where
 * a smaller batch may succeed. Already classified errors are returned unchanged.
 */
export function batchError(error: unknown): Error {
  if (error instanceof DataError || error instanceof OutageError || error instanceof PositionMovedError) return error;
  const reason = errorMessage(error);
  switch (failureKindOf(error)) {
    case 'data':
      return new DataError(reason, { cause: error });
    case 'outage':
      return new OutageError(reason, { cause: error });
    case 'size':
      return asError(error);
  }
}
