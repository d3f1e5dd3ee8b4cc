import type { ErrorCode } from './errors';

/**
 * What the public edge can answer in place of any operation: to what is no request, comes too slowly or too often, has no
 * valid credential, or meets a part that is away. Every OpenAPI document has them at every operation.
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

/** What can be answered beside them to a request that brings a body. */
export const bodyErrors = ['payload_too_large', 'unsupported_media_type'] as const satisfies readonly ErrorCode[];
