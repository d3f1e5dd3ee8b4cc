import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wholeBody } from '../answers/body-parts';
import type { ReadResponse } from './read-response';

/** Copying a larger body costs more than writing its pieces. */
const maxJoinedBytes = 32 * 1024;

/** Sends a response on the connection of its request; the pieces of a large body are not joined. */
export function sendResponse(
  { status, headers, body }: ReadResponse,
  { method }: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.code(status).headers(headers);
  if (body === undefined || body.pieces.length === 1 || body.byteLength <= maxJoinedBytes) {
    reply.send(body && wholeBody(body));
    return;
  }
  // The framework accepts only one piece.
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(status, { ...reply.getHeaders(), 'content-length': body.byteLength } as OutgoingHttpHeaders);
  raw.cork();
  if (method !== 'HEAD') for (const piece of body.pieces) raw.write(piece);
  raw.end();
}
