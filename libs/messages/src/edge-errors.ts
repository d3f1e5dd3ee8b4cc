import type { ErrorCode } from './error-catalogue';

/**
 * Errors with which the public edge can respond to any operation: malformed, slow or too many requests, an invalid credential,
 * or an unavailable component. Every OpenAPI document lists them at every operation.
 */
export const edgeErrors = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'overloaded',
] as const satisfies readonly ErrorCode[];

/** Further errors of requests with a body. */
export const bodyErrors = ['payload_too_large', 'unsupported_media_type'] as const satisfies readonly ErrorCode[];
