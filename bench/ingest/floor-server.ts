import { Server, createServer } from 'node:http';

const responseBody = JSON.stringify({ outcome: 'accepted' });

/** A server that passes each body to `publish` and responds 200 once that has succeeded, else 503. */
export function createFloorServer(publish: (body: Buffer) => Promise<unknown>): Server {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const end = (status: number): void => {
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': responseBody.length });
        response.end(responseBody);
      };
      publish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).then(
        () => end(200),
        () => end(503),
      );
    });
  });
  // At a low rate a connection of an open loop is idle for longer than Node's 5 s, after which the server would close it.
  server.keepAliveTimeout = 60_000;
  return server;
}
