import negotiate from '@fastify/accept-negotiator';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A body as clients get it, and the headers of its operation. */
export interface SentAnswer {
  /** JSON. */
  readonly bytes: Buffer;
  /** Differs exactly where the bytes differ. */
  readonly digest: string;
  readonly cacheS: number;
  readonly link: string | null;
  readonly deprecatedSince: Date | undefined;
}

const gzipped = promisify(gzip);

/** Smaller bodies do not get smaller by it. */
const minGzipBytes = 1024;
/** The fast end: the next levels take twice the time for a tenth of the size. */
const gzipLevel = 4;

/**
 * Answers 200 with an ETag of its bytes, each encoding its own, or 304 to who has that body already. `If-None-Match` takes
 * a list and `*`, and W/ makes no difference in it (RFC 9110, section 13.1.2).
 */
export async function sendAnswer(answer: SentAnswer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { bytes, digest } = answer;
  const isGzip = bytes.length > minGzipBytes && acceptsGzip(request.headers['accept-encoding']);
  const etag = isGzip ? `"${digest}-gzip"` : `"${digest}"`;
  reply.header('etag', etag);
  reply.header('cache-control', `private, max-age=${answer.cacheS}`);
  reply.header('vary', 'accept-encoding');
  if (answer.link !== null) reply.header('link', answer.link);
  if (answer.deprecatedSince) reply.header('deprecation', `@${answer.deprecatedSince.getTime() / 1000}`);
  if (matches(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
    return;
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  if (!isGzip) {
    reply.send(bytes);
    return;
  }
  reply.header('content-encoding', 'gzip');
  reply.send(await gzipped(bytes, { level: gzipLevel }));
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag);
}

const encodings = ['gzip', 'identity'];
/** What the widespread clients send stays decided. */
const mostDecided = 1000;
const decided = new Map<string, boolean>();

function acceptsGzip(header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  const known = decided.get(header);
  if (known !== undefined) return known;
  const accepts = negotiate(header, encodings) === 'gzip';
  if (decided.size >= mostDecided) decided.clear();
  decided.set(header, accepts);
  return accepts;
}
