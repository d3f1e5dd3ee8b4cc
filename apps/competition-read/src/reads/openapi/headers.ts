import type { ReadRow } from '../rows/read-row';

/** Response headers as components; an operation refers to those it sends. */
export const headerComponents = {
  'ratelimit-limit': text('Requests per second of this key, such as 10, 10;w=1'),
  'ratelimit-remaining': whole('Requests left now', 0),
  'ratelimit-reset': whole('Seconds until the full allowance is available again', 0),
  'retry-after': whole('Seconds to wait before a retry', 1),
  'www-authenticate': text('Bearer'),
  etag: text('Strong; send it back in If-None-Match'),
  'cache-control': text('For how many seconds the client may cache the response'),
  vary: text('accept-encoding, authorization: a response is that of one key'),
  link: text('The pages rel="next", by cursor, and rel="prev", where they exist; relative to the host'),
  deprecation: text('Since when the operation is deprecated, as @ and Unix seconds (RFC 9745)'),
} as const;

type HeaderName = keyof typeof headerComponents;

/** Headers of every response. */
export const rateHeaders = referencesTo('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');

/** Headers of 200 and 304. */
export const cacheHeaders = { ...rateHeaders, ...referencesTo('etag', 'cache-control', 'vary') };

/** Headers that an operation sends with its body. */
export function headersOf(row: ReadRow): Record<string, { $ref: string }> {
  return {
    ...cacheHeaders,
    ...(row.query.cursor && referencesTo('link')),
    ...(row.deprecatedSince && referencesTo('deprecation')),
  };
}

/** References to headers by name. */
export function referencesTo(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function text(description: string) {
  return { description, schema: { type: 'string' } } as const;
}

function whole(description: string, minimum: number) {
  return { description, schema: { type: 'integer', minimum } } as const;
}
