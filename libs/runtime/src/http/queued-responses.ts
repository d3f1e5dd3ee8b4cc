import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Per connection: the responses whose turn has not come, in the order of their requests. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Makes every response of a server emit `close` at the latest when its connection ends. Node emits it only for the response
 * whose turn it is, not for those that wait behind it when a client sends further requests without waiting (RFC 9112, section
 * 9.3.2). Whatever is released with a response would otherwise be lost with each of those. Call this before the server listens.
 */
export function closeQueuedResponses(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Nearly every response has its turn at once; Node assigns its connection then.
    if (response.socket === null) add(socket, response);
  });
}

/** The responses that wait for their turn on a connection, in the order of their requests. */
export function queuedResponses(socket: Socket): ServerResponse[] {
  return [...(queued.get(socket) ?? [])];
}

function add(socket: Socket, response: ServerResponse): void {
  let waiting = queued.get(socket);
  if (!waiting) {
    waiting = new Set();
    queued.set(socket, waiting);
    socket.once('close', () => queuedResponses(socket).forEach(close));
  }
  waiting.add(response);
  response.once('socket', () => waiting.delete(response));
}

/** What Node does to the response whose turn it is; `closed` reads `_closed`. */
function close(response: ServerResponse & { _closed?: boolean }): void {
  if (response.closed) return;
  response.destroy();
  response._closed = true;
  response.emit('close');
}
