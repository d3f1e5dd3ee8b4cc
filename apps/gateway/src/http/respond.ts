import { IncomingMessage, ServerResponse } from 'node:http';
import { asksForPage, errorPage } from '../error-pages/error-page';
import { Refusal, bodyFor } from './refusal';

/**
 * An unwanted body is still read up to this size, so that a client that reads only after it has written sees the response: more
 * than any route takes, and than a batch of 100 of the largest events.
 */
const maxDiscardedBytes = 8 * 1024 * 1024;
/** How long it is read where its route has no time for it. */
const lingerDefaultMs = 3_500;
/** And where it was too slow already. */
const lingerSlowMs = 2_000;

/** Responds with JSON bytes, unless `headers` name another type; they alternate name and value. */
export function respondJson(response: ServerResponse, status: number, body: Buffer, headers: readonly string[]): void {
  response.writeHead(status, headersOf(body, headers));
  // Bytes as a latin1 string go out unchanged, and in one write together with the head.
  response.end(body.toString('latin1'), 'latin1');
}

/** Headers of a refusal, without those of every response. */
function refusalHeaders(refusal: Refusal): string[] {
  const headers = ['cache-control', 'no-store'];
  if (refusal.retryAfterS !== undefined) headers.push('retry-after', String(refusal.retryAfterS));
  if (refusal.challenge !== undefined) headers.push('www-authenticate', refusal.challenge);
  return headers;
}

/**
 * Refuses a request before or while its body arrives. Node discards a short body with Content-Length and keeps the
 * connection open. Of a long, chunked or slow body, and of any on a connection that closes, enough is discarded for the client
 * to read the response, for at most as long as the route reads a whole one; then the connection is closed. Memory stays
 * constant in all cases.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  options: { headers: readonly string[]; close?: boolean; maxBodyBytes: number; bodyTimeoutMs?: number },
): void {
  const page = asksForPage(request) ? errorPage(refusal, requestIdIn(options.headers)) : undefined;
  const body = page?.body ?? bodyFor(refusal, request.url);
  const headers = [...options.headers, ...refusalHeaders(refusal), ...Object.entries(page?.headers ?? {}).flat()];
  const bytesLeft = request.complete ? 0 : announcedBytes(request);
  const isSlow = refusal.code === 'request_timeout';
  // The connection also closes when the client has asked for that.
  const keepsOpen = !options.close && response.shouldKeepAlive && bytesLeft <= options.maxBodyBytes && !isSlow;
  if (!keepsOpen) headers.push('connection', 'close');
  if (keepsOpen || bytesLeft === 0) return respondJson(response, refusal.status, body, headers);
  response.writeHead(refusal.status, headersOf(body, headers));
  response.write(body);
  const lingerMs = isSlow ? lingerSlowMs : (options.bodyTimeoutMs ?? lingerDefaultMs);
  discardBody(request, lingerMs, () => response.end());
}

function headersOf(body: Buffer, headers: readonly string[]): string[] {
  const type = headers.includes('content-type') ? [] : ['content-type', 'application/json; charset=utf-8'];
  return [...type, 'content-length', String(body.length), ...headers];
}

/** The request id in a response's headers, which alternate name and value. */
function requestIdIn(headers: readonly string[]): string {
  return headers[headers.indexOf('x-request-id') + 1];
}

/** The body's length by Content-Length; Infinity for a chunked one, whose length is unknown. */
export function announcedBytes(request: IncomingMessage): number {
  if (request.headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(request.headers['content-length'] ?? 0);
}

function discardBody(request: IncomingMessage, lingerMs: number, end: () => void): void {
  let discardedBytes = 0;
  const timer = setTimeout(end, lingerMs);
  request.on('data', (chunk: Buffer) => {
    discardedBytes += chunk.length;
    if (discardedBytes > maxDiscardedBytes) request.destroy();
  });
  request.once('end', end);
  request.once('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
