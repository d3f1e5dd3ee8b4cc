import negotiate from '@fastify/accept-negotiator';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matchesEtag } from '@podium/runtime/http';
import { SentBody, wholeBody } from '../answers/body-parts';
import type { SentAnswer } from '../answers/sent-answer';

const gzipped = promisify(gzip);

/** Compression does not shrink smaller bodies. */
const minGzipBytes = 1024;
/** A fast level: higher ones take twice the time for a tenth less. */
const gzipLevel = 4;

/** The response to a read, for the connection of its client or for a batch. */
export interface ReadResponse {
  readonly status: number;
  /** By lower-case name, without the length of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined in a response without a body, 304. */
  readonly body: SentBody | undefined;
}

/**
 * 200 with an ETag, one per content encoding, or 304 to a client that has this body already. `If-None-Match` may be
 * a list or `*`, and W/ makes no difference in it (RFC 9110, section 13.1.2). The answer is that of the caller's key: a cache of
 * a client with two keys must not give one the answer to the other.
 */
export async function responseOf(answer: SentAnswer, asked: IncomingHttpHeaders): Promise<ReadResponse> {
  const { body, digest } = answer;
  const isGzip = body.byteLength > minGzipBytes && acceptsGzip(asked['accept-encoding']);
  const etag = isGzip ? `"${digest}-gzip"` : `"${digest}"`;
  const headers: Record<string, string> = {
    etag,
    'cache-control': `private, max-age=${answer.cacheS}`,
    vary: 'accept-encoding, authorization',
  };
  if (answer.link !== null) headers.link = answer.link;
  if (answer.deprecatedSince) headers.deprecation = `@${answer.deprecatedSince.getTime() / 1000}`;
  if (matchesEtag(asked['if-none-match'], etag)) return { status: 304, headers, body: undefined };
  headers['content-type'] = 'application/json; charset=utf-8';
  if (!isGzip) return { status: 200, headers, body };
  headers['content-encoding'] = 'gzip';
  const bytes = await compressedOf(answer);
  return { status: 200, headers, body: { pieces: [bytes], byteLength: bytes.length } };
}

/** Compressed bodies, each made once in the lifetime of its answer. */
const compressed = new WeakMap<SentAnswer, Promise<Buffer>>();

function compressedOf(answer: SentAnswer): Promise<Buffer> {
  const known = compressed.get(answer);
  if (known) return known;
  const compressing = gzipped(wholeBody(answer.body), { level: gzipLevel });
  compressed.set(answer, compressing);
  return compressing;
}

const encodings = ['gzip', 'identity'];
/** The negotiator takes `*` for gzip, also where gzip itself is refused (RFC 9110, section 12.5.3). */
const refusedGzip = /(?:^|,)\s*gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i;
/** Negotiated results by header: a few values make most requests. */
const maxNegotiated = 1000;
const negotiated = new Map<string, boolean>();

function acceptsGzip(header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  const known = negotiated.get(header);
  if (known !== undefined) return known;
  // Codings are case-insensitive (RFC 9110, section 8.4.1); the negotiator compares them as they are.
  const accepts = negotiate(header.toLowerCase(), encodings) === 'gzip' && !refusedGzip.test(header);
  if (negotiated.size >= maxNegotiated) negotiated.clear();
  negotiated.set(header, accepts);
  return accepts;
}
