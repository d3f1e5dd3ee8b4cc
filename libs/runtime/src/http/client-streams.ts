import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Errors of clients' connections, requests and responses, by identity. */
const seen = new WeakSet();

/**
 * Listens to the errors of every connection, request and response of a server. A client may end any of them at any time,
 * and an error without a listener ends the process. Some code, such as that for CONNECT, gets the connection without a
 * listener. Call this before the server listens.
 */
export function guardClientStreams(server: Server): void {
  // The first listener, so that an error is known before a stream derived from the request repeats it.
  server.prependListener('connection', (socket: Socket) => socket.on('error', note));
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    request.on('error', note);
    response.on('error', note);
  });
}

/**
 * Whether an error, or a cause of it, is an error of a client's stream. A stream piped from a request fails with the
 * request's own error. A missing listener there is a defect of this service, but no reason to end the process.
 */
export function isClientStreamError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (seen.has(cause)) return true;
  return false;
}

function note(error: Error): void {
  seen.add(error);
}
