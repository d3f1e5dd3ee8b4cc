import { once } from 'node:events';
import { AddressInfo, Server, Socket, createServer } from 'node:net';
import { pino } from 'pino';
import { Registry } from '../metrics';
import { isPostgresAway } from './is-postgres-away';
import { createPool } from './pool';

/** Messages of the server, each with its type, its length and its content. */
const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

describe('a server that logs clients in and stays silent, like a pooler without a server', () => {
  const sockets = new Set<Socket>();
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('data', () => {
        socket.write(Buffer.concat([authenticated, readyForQuery]));
        socket.resume();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  it('does not keep a caller waiting for longer than the timeout of a connection', async () => {
    const url = `postgres://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/d`;
    const parts = { url, size: 1, service: 'spec', connectTimeoutMs: 200 };
    const pool = createPool(parts, pino({ level: 'silent' }), new Registry());
    const startedMs = performance.now();
    const error: unknown = await pool.connect().catch((reason: unknown) => reason);
    expect(isPostgresAway(error)).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });
});
