import { asError, errorMessage } from '../errors';
import { DataError, OutageError, PositionMovedError } from '../kafka';
import { failureKindOf } from '../postgres';

/**
 * What a handler throws when the transaction of its batch has failed, for the transport to know what to do: `DataError`,
 * `OutageError`, and the error itself where less at once may succeed. What says already what is to be done stays as it is.
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
