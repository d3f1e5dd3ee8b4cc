import { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, bodyFor } from './refusal';

/** What nobody wants to read of a body is still taken off the wire up to here, so that the client sees its answer. */
const maxThrownAwayBytes = 1024 * 1024;
const maxLingerMs = 2_000;

/** Ends a request with JSON bytes; `headers` alternate name and value. */
export function answerJson(response: ServerResponse, status: number, body: Buffer, headers: readonly string[]): void {
  response.writeHead(status, headersOf(body, headers));
  // Bytes as a latin1 string go out unchanged, and in one write together with the head.
  response.end(body.toString('latin1'), 'latin1');
}

/** Headers of a refusal beside those of every answer. */
function refusalHeaders(refusal: Refusal): string[] {
  const headers = ['cache-control', 'no-store'];
  if (refusal.retryAfterS !== undefined) headers.push('retry-after', String(refusal.retryAfterS));
  if (refusal.challenge !== undefined) headers.push('www-authenticate', refusal.challenge);
  return headers;
}

/**
 * Refuses a request before or while its body arrives. A short announced body is left to Node, which throws it away and
 * keeps the connection; of a long, unannounced or slow one so much is thrown away that the client gets to read the answer,
 * then the connection is closed. Memory stays flat in all.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  options: { headers: readonly string[]; close?: boolean; maxBodyBytes: number },
): void {
  const body = bodyFor(refusal, request.url);
  const headers = [...options.headers, ...refusalHeaders(refusal)];
  const isSlow = refusal.code === 'request_timeout';
  const short = request.complete || (announcedBytes(request) <= options.maxBodyBytes && !isSlow);
  if (short && !options.close) return answerJson(response, refusal.status, body, headers);
  headers.push('connection', 'close');
  if (short) return answerJson(response, refusal.status, body, headers);
  response.writeHead(refusal.status, headersOf(body, headers));
  response.write(body);
  throwAway(request, () => response.end());
}

function headersOf(body: Buffer, headers: readonly string[]): string[] {
  return ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length), ...headers];
}

/** The body's length by Content-Length; Infinity for a chunked one, whose end nobody knows. */
export function announcedBytes(request: IncomingMessage): number {
  if (request.headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(request.headers['content-length'] ?? 0);
}

function throwAway(request: IncomingMessage, end: () => void): void {
  let thrownAwayBytes = 0;
  const timer = setTimeout(end, maxLingerMs);
  request.on('data', (chunk: Buffer) => {
    thrownAwayBytes += chunk.length;
    if (thrownAwayBytes > maxThrownAwayBytes) request.destroy();
  });
  request.once('end', end);
  request.once('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
