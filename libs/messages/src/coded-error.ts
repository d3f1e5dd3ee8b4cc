import { ErrorCode, ErrorRow, errorCatalogue } from './error-catalogue';

/** Optional details of a coded error in addition to its catalogue row. */
export interface CodedErrorDetails {
  /** Replaces the public sentence; names the field or parameter, contains no internal details. */
  message?: string;
  /** Overrides the row's Retry-After, whole seconds. */
  retryAfterS?: number;
  /** Names of the request's parameters that are at fault, for the data edge. */
  parameters?: readonly string[];
  /** For the log only. */
  internal?: string;
  cause?: unknown;
}

/** The one exception that domain code throws on purpose; a filter at the edge converts it to HTTP. */
export class CodedError extends Error {
  readonly status: number;
  readonly retryAfterS: number | undefined;
  readonly parameters: readonly string[];
  readonly internal: string;

  constructor(
    readonly code: ErrorCode,
    details: CodedErrorDetails = {},
  ) {
    const row: ErrorRow = errorCatalogue[code];
    super(details.message ?? row.publicSentence, { cause: details.cause });
    this.name = 'CodedError';
    this.status = row.status;
    this.retryAfterS = details.retryAfterS ?? row.retryAfterS;
    this.parameters = details.parameters ?? [];
    this.internal = details.internal ?? row.internalSentence;
  }
}
