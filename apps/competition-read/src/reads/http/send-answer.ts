import negotiate from '@fastify/accept-negotiator';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matchesEtag } from '@podium/runtime/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SentBody, wholeBody } from '../answers/body-parts';
import type { SentAnswer } from '../answers/sent-answer';

const gzipped = promisify(gzip);

/** Compression does not shrink smaller bodies. */
const minGzipBytes = 1024;
/** A fast level: higher ones take twice the time for a tenth less. */
const gzipLevel = 4;

/**
 * Sends 200 with an ETag, one per content encoding, or 304 to a client that has this body already. `If-None-Match` may be
 * a list or `*`, and W/ makes no difference in it (RFC 9110, section 13.1.2). The answer is that of the caller's key: a cache of
 * a client with two keys must not give one the answer to the other.
 */
export async function sendAnswer(answer: SentAnswer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { body, digest } = answer;
  const isGzip = body.byteLength > minGzipBytes && acceptsGzip(request.headers['accept-encoding']);
  const etag = isGzip ? `"${digest}-gzip"` : `"${digest}"`;
  reply.header('etag', etag);
  reply.header('cache-control', `private, max-age=${answer.cacheS}`);
  reply.header('vary', 'accept-encoding, authorization');
  if (answer.link !== null) reply.header('link', answer.link);
  if (answer.deprecatedSince) reply.header('deprecation', `@${answer.deprecatedSince.getTime() / 1000}`);
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
    return;
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  if (!isGzip) {
    sendPieces(body, request, reply);
    return;
  }
  reply.header('content-encoding', 'gzip');
  reply.send(await compressedOf(answer));
}

/** Copying a larger body costs more than writing its pieces. */
const maxJoinedBytes = 32 * 1024;

/** Writes the pieces of a large body to the connection without joining them; the framework accepts only one piece. */
function sendPieces(body: SentBody, { method }: FastifyRequest, reply: FastifyReply): void {
  const { pieces, byteLength } = body;
  if (pieces.length === 1 || byteLength <= maxJoinedBytes) {
    reply.send(wholeBody(body));
    return;
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), 'content-length': byteLength } as OutgoingHttpHeaders);
  raw.cork();
  if (method !== 'HEAD') for (const piece of pieces) raw.write(piece);
  raw.end();
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
  const accepts = negotiate(header, encodings) === 'gzip' && !refusedGzip.test(header);
  if (negotiated.size >= maxNegotiated) negotiated.clear();
  negotiated.set(header, accepts);
  return accepts;
}
