import type { ReadRow } from '../read-row';

/** Headers of answers as components; an operation refers to those it sends. */
export const headerComponents = {
  'ratelimit-limit': text('Requests per second of this key, such as 10, 10;w=1'),
  'ratelimit-remaining': whole('Requests left at this moment', 0),
  'ratelimit-reset': whole('Seconds until the allowance is whole again', 0),
  'retry-after': whole('Whole seconds after which a retry makes sense', 1),
  'www-authenticate': text('Bearer'),
  etag: text('Strong; to be sent back in If-None-Match'),
  'cache-control': text('For how many seconds the client may keep the answer'),
  vary: text('accept-encoding'),
  link: text('Where there are such pages: rel="next", by cursor, and rel="prev", relative to the host'),
  deprecation: text('Since when the operation is no longer meant to be used, as @ and Unix seconds (RFC 9745)'),
} as const;

type HeaderName = keyof typeof headerComponents;

/** Headers of every answer. */
export const rateHeaders = referencesTo('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');

/** Headers of an answer with a body, or of one that the client has already. */
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
