/**
 * What a sender of events does with one that was refused. `never`: the same bytes cannot succeed, keep them for a person.
 * `later`: set it aside on a schedule of its own, which blocks no other event. `pause`: stop sending and tell a person.
 * `now`: send it again after Retry-After, then with growing delays.
 */
export type RetryClass = 'never' | 'later' | 'pause' | 'now';

/** A row of the error catalogue; the code is stable and resolves to a section of docs/errors.md. */
export interface ErrorRow {
  readonly status: number;
  readonly retry: RetryClass;
  /** The class that some answers with this code name instead, with Retry-After, and which these are. */
  readonly otherRetry?: { readonly retry: RetryClass; readonly when: string };
  /** The code at the data edge, where several codes may share one; see `dataErrorBody`. */
  readonly dataCode: string;
  /** For the client: what happened and what to do. */
  readonly publicSentence: string;
  /** For operators: what caused it. */
  readonly internalSentence: string;
  /** Whole seconds after which a retry makes sense; partners retry every error (specification, Flow rules 5). */
  readonly retryAfterS?: number;
}

/** The one catalogue of errors that leave the service. */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    retry: 'never',
    otherRetry: {
      retry: 'later',
      when: 'for an event that is minutes ahead of our clock: yours or ours is off, and the same event succeeds after Retry-After',
    },
    dataCode: 'err_br0',
    publicSentence: 'The request is invalid. Correct the named field and send the request again.',
    internalSentence: 'The request is not well-formed, or does not match the schema of its route.',
  },
  unauthorized: {
    status: 401,
    retry: 'pause',
    dataCode: 'err_u0',
    publicSentence:
      'The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>.',
    internalSentence: 'The credential is missing, malformed, unknown, revoked or expired.',
  },
  environment_mismatch: {
    status: 403,
    retry: 'pause',
    dataCode: 'err_f0',
    publicSentence: 'This key belongs to another environment. Use a key of this environment.',
    internalSentence: 'A key of the test environment was sent to production, or the reverse.',
  },
  integration_paused: {
    status: 403,
    retry: 'pause',
    dataCode: 'err_f0',
    publicSentence: 'An operator has paused this integration. Retry later.',
    internalSentence: 'An operator has paused the integration.',
    retryAfterS: 300,
  },
  platform_mismatch: {
    status: 403,
    retry: 'pause',
    dataCode: 'err_f0',
    publicSentence:
      'The field platform does not match this key. Send the platform name that you received with the key.',
    internalSentence: 'A key was used with the name of another platform.',
  },
  forbidden: {
    status: 403,
    retry: 'pause',
    dataCode: 'err_f0',
    publicSentence: 'Your role, or the scope of your key, does not allow this operation.',
    internalSentence: 'The token or key is valid but does not have the required role, organizer or scope.',
  },
  origin_refused: {
    status: 403,
    retry: 'pause',
    dataCode: 'err_f0',
    publicSentence: 'The request does not come from this site. Reload the page and try again.',
    internalSentence: 'A change authenticated by cookie has no Origin header, or one of another site.',
  },
  not_found: {
    status: 404,
    retry: 'pause',
    dataCode: 'err_nf0',
    publicSentence: 'Not found. Check the path and the identifiers in it.',
    internalSentence: 'The path or an identifier is unknown.',
  },
  user_not_linked: {
    status: 404,
    retry: 'later',
    dataCode: 'err_nf0',
    publicSentence:
      'No user of your platform is linked with this platform_user_id. Send events only after the user is linked.',
    internalSentence:
      'The user is not linked, not visible yet, or belongs to another platform. All three get the same response.',
    retryAfterS: 60,
  },
  method_not_allowed: {
    status: 405,
    retry: 'pause',
    dataCode: 'err_m0',
    publicSentence: 'This method is not allowed for this path. Use a method from the Allow header.',
    internalSentence: 'The path exists, but not with this method.',
  },
  request_timeout: {
    status: 408,
    retry: 'now',
    dataCode: 'err_t0',
    publicSentence: 'The request took too long to arrive. Send it again.',
    internalSentence: 'The headers or the body arrived too slowly.',
  },
  conflict: {
    status: 409,
    retry: 'never',
    dataCode: 'err_c0',
    publicSentence: 'The request conflicts with the current state. Read the current state and try again.',
    internalSentence: 'The change violates a rule of uniqueness or state.',
  },
  payload_too_large: {
    status: 413,
    retry: 'never',
    dataCode: 'err_p0',
    publicSentence: 'The body is larger than this operation takes. Send a smaller body.',
    internalSentence: 'The body is larger than the limit, by its Content-Length or by the bytes received.',
  },
  unsupported_media_type: {
    status: 415,
    retry: 'never',
    dataCode: 'err_mt0',
    publicSentence:
      'The content type is not supported. Send JSON in UTF-8 with Content-Type: application/json and without Content-Encoding.',
    internalSentence: 'The request has another media type, charset or content encoding.',
  },
  event_not_negotiated: {
    status: 422,
    retry: 'later',
    dataCode: 'err_up0',
    publicSentence: 'This event name is not in the contract of your platform. Check its spelling, or ask us to add it.',
    internalSentence: 'The contract in force at receipt does not contain the name; names are compared byte by byte.',
    retryAfterS: 3600,
  },
  unprocessable: {
    status: 422,
    retry: 'never',
    dataCode: 'err_up0',
    publicSentence: 'The request is well-formed but cannot be processed. The message says why.',
    internalSentence: 'The content violates a domain rule.',
  },
  rate_limited: {
    status: 429,
    retry: 'now',
    dataCode: 'err_rl0',
    publicSentence:
      'You have exceeded your request rate. Wait for the time in Retry-After, then send the request again.',
    internalSentence:
      'The platform, key or client has exceeded its rate or its number of requests at once, or too many exports run.',
    retryAfterS: 1,
  },
  headers_too_large: {
    status: 431,
    retry: 'pause',
    dataCode: 'err_h0',
    publicSentence:
      'The request line and the headers are too large. Send a shorter address, or fewer or shorter headers.',
    internalSentence: 'The request line and the headers are larger than the limit.',
  },
  internal_error: {
    status: 500,
    retry: 'now',
    dataCode: 'err_i0',
    publicSentence: 'An internal error occurred. Retry later; if the problem persists, quote the request id.',
    internalSentence: 'An unexpected exception occurred. Find it in the log by the request id.',
  },
  unavailable: {
    status: 503,
    retry: 'now',
    dataCode: 'err_un0',
    publicSentence:
      'The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id.',
    internalSentence:
      'Postgres, Kafka, the link view or another required component is unavailable, or the outcome is unknown.',
    retryAfterS: 2,
  },
  overloaded: {
    status: 503,
    retry: 'now',
    dataCode: 'err_un0',
    publicSentence: 'Overloaded. Retry after the time in Retry-After, an event with the same id.',
    internalSentence: 'A bounded queue is full.',
    retryAfterS: 1,
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;
