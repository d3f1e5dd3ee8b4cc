import { CodedError, CodedErrorDetails } from './coded-error';
import { ErrorCode, RetryClass, errorCatalogue } from './error-catalogue';

/**
 * The body of every error response at the partner edge, `/v1` and `/admin/v1`: the specification's Send-event error body, and
 * the retry class, so that a client needs no table of codes.
 */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; retry: RetryClass };
}

/** The error body of a code, with its public sentence and retry class unless others are given. */
export function errorBody(
  code: ErrorCode,
  message: string = errorCatalogue[code].publicSentence,
  retry: RetryClass = errorCatalogue[code].retry,
): ErrorBody {
  return { error: { code, message, retry } };
}

/** The body of every error response under `/data/v4`. */
export interface DataErrorBody {
  errors: [{ message: string; code: string; http_status: number; parameters: string[] }];
}

/** The data edge's error body of a coded error, or of a code with its public sentence unless another message is given. */
export function dataErrorBody(
  error: CodedError | ErrorCode,
  details: Pick<CodedErrorDetails, 'message' | 'parameters'> = {},
): DataErrorBody {
  const { code, message, parameters } = typeof error === 'string' ? new CodedError(error, details) : error;
  const { dataCode, status } = errorCatalogue[code];
  return { errors: [{ message, code: dataCode, http_status: status, parameters: [...parameters] }] };
}
