import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Errors that a client's connection, request or answer has had, by identity. */
const seen = new WeakSet();

/**
 * Listens to the errors of every connection, request and answer of a server. A client may end any of them at any moment,
 * and an error that nobody listens to ends the process; some code, such as that for CONNECT, gets the connection without
 * a listener. To be called before the server listens.
 */
export function guardClientStreams(server: Server): void {
  // First of all listeners, so that an error is known before a stream derived from the request repeats it.
  server.prependListener('connection', (socket: Socket) => socket.on('error', note));
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    request.on('error', note);
    response.on('error', note);
  });
}

/**
 * Whether an error, or one that caused it, was that of a client's stream. A stream that is piped from a request fails with
 * the request's own error: where nobody listens to it, that is a defect of ours, but no reason to end the process.
 */
export function isClientStreamError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (seen.has(cause)) return true;
  return false;
}

function note(error: Error): void {
  seen.add(error);
}
