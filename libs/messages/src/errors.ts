/** A row of the error catalogue; the code is stable and resolves to a section of docs/errors.md. */
export interface ErrorRow {
  readonly status: number;
  /** The code at the data edge, where several codes of ours may share one; see `dataErrorBody`. */
  readonly dataCode: string;
  /** For the caller: what is wrong and what to do. */
  readonly publicSentence: string;
  /** For operators: what it means inside. */
  readonly internalSentence: string;
  /** Whole seconds after which a retry makes sense; partners retry every error (specification, Flow rules 5). */
  readonly retryAfterS?: number;
}

/** The one catalogue of errors that leave the service. */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    dataCode: 'err_br0',
    publicSentence: 'The request is not valid; correct the named field and send it again.',
    internalSentence: 'A client sent something that its schema refuses.',
  },
  unauthorized: {
    status: 401,
    dataCode: 'err_u0',
    publicSentence: 'Send a valid key or token in the Authorization header: Bearer <key>.',
    internalSentence: 'The credential is missing, malformed, unknown, revoked or expired.',
  },
  environment_mismatch: {
    status: 403,
    dataCode: 'err_f0',
    publicSentence: 'This key belongs to the other environment; use the key of this one.',
    internalSentence: 'A well-formed key of test reached production or the reverse.',
  },
  integration_paused: {
    status: 403,
    dataCode: 'err_f0',
    publicSentence: 'The integration is paused by the service; retry later.',
    internalSentence: 'An operator paused the integration.',
    retryAfterS: 300,
  },
  platform_mismatch: {
    status: 403,
    dataCode: 'err_f0',
    publicSentence: 'The field platform is not the platform of this key; send the name you were given with the key.',
    internalSentence: 'A key was used for another platform.',
  },
  forbidden: {
    status: 403,
    dataCode: 'err_f0',
    publicSentence: 'Your role does not allow this.',
    internalSentence: 'The token is valid but lacks the role or the organizer.',
  },
  origin_refused: {
    status: 403,
    dataCode: 'err_f0',
    publicSentence: 'Changes by cookie are accepted from the page itself only; reload it and try again.',
    internalSentence: 'The Origin header is missing or foreign on a cookie-authenticated change.',
  },
  not_found: {
    status: 404,
    dataCode: 'err_nf0',
    publicSentence: 'There is nothing at this address.',
    internalSentence: 'Unknown path or identifier.',
  },
  user_not_linked: {
    status: 404,
    dataCode: 'err_nf0',
    publicSentence: 'No user of this platform is linked under this platform_user_id; send events after linking.',
    internalSentence: "Not linked, not visible yet, or another platform's user; one answer for all three.",
    retryAfterS: 60,
  },
  method_not_allowed: {
    status: 405,
    dataCode: 'err_m0',
    publicSentence: 'This method is not supported here; see the Allow header.',
    internalSentence: 'Known path, other method.',
  },
  request_timeout: {
    status: 408,
    dataCode: 'err_t0',
    publicSentence: 'The request took too long to arrive; send it again.',
    internalSentence: 'Headers or body came too slowly.',
  },
  conflict: {
    status: 409,
    dataCode: 'err_c0',
    publicSentence: 'This contradicts what is already there; read the present state and decide again.',
    internalSentence: 'A uniqueness or state rule refused the change.',
  },
  payload_too_large: {
    status: 413,
    dataCode: 'err_p0',
    publicSentence: 'The body is larger than 64 KiB; send less per request.',
    internalSentence: 'The body passed the limit, announced or not.',
  },
  unsupported_media_type: {
    status: 415,
    dataCode: 'err_mt0',
    publicSentence: 'Send JSON in UTF-8: Content-Type: application/json, without Content-Encoding.',
    internalSentence: 'Another media type, charset or encoding.',
  },
  event_not_negotiated: {
    status: 422,
    dataCode: 'err_up0',
    publicSentence:
      'This event name is not negotiated for your platform; ask to have it added, names are compared byte for byte.',
    internalSentence: 'The contract in force at receipt does not have the name.',
    retryAfterS: 3600,
  },
  unprocessable: {
    status: 422,
    dataCode: 'err_up0',
    publicSentence: 'The request is well-formed but cannot be carried out; the message says why.',
    internalSentence: 'A domain rule refused the content.',
  },
  rate_limited: {
    status: 429,
    dataCode: 'err_rl0',
    publicSentence: 'More requests than the rate allows; wait for Retry-After.',
    internalSentence: 'The platform is over its rate.',
    retryAfterS: 1,
  },
  headers_too_large: {
    status: 431,
    dataCode: 'err_h0',
    publicSentence: 'The request headers are too large.',
    internalSentence: 'Header flood.',
  },
  internal_error: {
    status: 500,
    dataCode: 'err_i0',
    publicSentence: 'Something failed on our side; retry later and name the request id if it stays.',
    internalSentence: 'An unexpected exception; the log line of the request id has it.',
  },
  partner_unavailable: {
    status: 502,
    dataCode: 'err_g0',
    publicSentence: 'The partner did not answer as agreed; try again in a moment.',
    internalSentence: "The partner's server failed or answered out of its contract.",
  },
  unavailable: {
    status: 503,
    dataCode: 'err_un0',
    publicSentence: 'The service cannot take this now; retry after Retry-After with the same id.',
    internalSentence: 'Kafka, the link view or another needed part is out, or the outcome is unknown.',
    retryAfterS: 2,
  },
  overloaded: {
    status: 503,
    dataCode: 'err_un0',
    publicSentence: 'Too much at once; retry after Retry-After with the same id.',
    internalSentence: 'A bounded queue is full.',
    retryAfterS: 1,
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** What a coded error may say beside its catalogue row. */
export interface CodedErrorDetails {
  /** Replaces the public sentence; names the field or parameter, holds no internals. */
  message?: string;
  /** Overrides the row's Retry-After, whole seconds. */
  retryAfterS?: number;
  /** Names of the request's parameters that are at fault, for the data edge. */
  parameters?: readonly string[];
  /** For the log only. */
  internal?: string;
  cause?: unknown;
}

/** The one exception that domain code throws on purpose; a filter at the edge turns it into HTTP. */
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

/** The body of every error answer at the partner edge, `/v1` and `/admin/v1` (specification, Send-event error body). */
export interface ErrorBody {
  error: { code: ErrorCode; message: string };
}

/** The error body of a code, with its public sentence unless another message is given. */
export function errorBody(code: ErrorCode, message: string = errorCatalogue[code].publicSentence): ErrorBody {
  return { error: { code, message } };
}

/** The body of every error answer under `/data/v4`. */
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
