import negotiate from '@fastify/accept-negotiator';
import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SentBody, wholeBody } from './chunk';

/** A body as clients get it, and the headers of its operation. */
export interface SentAnswer {
  /** JSON. */
  readonly body: SentBody;
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
  const { body, digest } = answer;
  const isGzip = body.byteLength > minGzipBytes && acceptsGzip(request.headers['accept-encoding']);
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
    sendPieces(body, request, reply);
    return;
  }
  reply.header('content-encoding', 'gzip');
  reply.send(await packedOf(answer));
}

/** Writes the pieces to the connection as they are, in one go; the framework takes a body only in one piece. */
function sendPieces({ pieces, byteLength }: SentBody, { method }: FastifyRequest, reply: FastifyReply): void {
  if (pieces.length === 1) {
    reply.send(pieces[0]);
    return;
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), 'content-length': byteLength } as OutgoingHttpHeaders);
  raw.cork();
  if (method !== 'HEAD') for (const piece of pieces) raw.write(piece);
  raw.end();
}

/** Packed once for as long as the answer lives. */
const packed = new WeakMap<SentAnswer, Promise<Buffer>>();

function packedOf(answer: SentAnswer): Promise<Buffer> {
  const known = packed.get(answer);
  if (known) return known;
  const packing = gzipped(wholeBody(answer.body), { level: gzipLevel });
  packed.set(answer, packing);
  return packing;
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
