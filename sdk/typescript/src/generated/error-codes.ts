// Generated from the error catalogue (docs/errors.md).

/** The retry class and default Retry-After, in whole seconds, of each error code. */
export const errorCodes = {
  invalid_request: { status: 400, retry: 'never' },
  unauthorized: { status: 401, retry: 'pause' },
  environment_mismatch: { status: 403, retry: 'pause' },
  integration_paused: { status: 403, retry: 'pause', retryAfterS: 300 },
  platform_mismatch: { status: 403, retry: 'pause' },
  forbidden: { status: 403, retry: 'pause' },
  origin_refused: { status: 403, retry: 'pause' },
  not_found: { status: 404, retry: 'pause' },
  user_not_linked: { status: 404, retry: 'later', retryAfterS: 60 },
  method_not_allowed: { status: 405, retry: 'pause' },
  request_timeout: { status: 408, retry: 'now' },
  conflict: { status: 409, retry: 'never' },
  payload_too_large: { status: 413, retry: 'never' },
  unsupported_media_type: { status: 415, retry: 'never' },
  event_not_negotiated: { status: 422, retry: 'later', retryAfterS: 3600 },
  unprocessable: { status: 422, retry: 'never' },
  rate_limited: { status: 429, retry: 'now', retryAfterS: 1 },
  headers_too_large: { status: 431, retry: 'pause' },
  internal_error: { status: 500, retry: 'now' },
  unavailable: { status: 503, retry: 'now', retryAfterS: 2 },
  overloaded: { status: 503, retry: 'now', retryAfterS: 1 },
} as const;
