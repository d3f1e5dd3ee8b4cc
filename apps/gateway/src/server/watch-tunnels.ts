import { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Node gives the connection of a CONNECT request away: it takes its listeners off, and neither its time limits nor the stop of the
 * server reach the connection any more. Those that are added here are watched as before, until the responses to their earlier
 * requests have ended.
 */
export function watchTunnels(server: Server): { add(socket: Socket): void } {
  const open = new Set<Socket>();
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAllConnections();
    for (const socket of open) socket.destroy();
  };
  return {
    add(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
      open.add(socket);
      socket
        .on('error', () => socket.destroy())
        // The client does not read; the timer of `server.timeout` goes on.
        .on('timeout', () => socket.destroy())
        .on('drain', () => socket._httpMessage?.emit('drain'))
        .once('close', () => open.delete(socket));
    },
  };
}
