import { once } from 'node:events';
import { RequestListener, Server, createServer } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createHttpAdapter } from './http-adapter';
import { closeServer } from './close-server';
import { showRequestsInFlight } from '../http';

describe('closeServer', () => {
  let sockets: Socket[];
  beforeEach(() => (sockets = []));
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  interface Listening {
    readonly close: (waitMs: number) => Promise<void>;
    readonly requestsInFlight: () => number;
  }

  /**
   * A listening server as services have it; its requests go to `handler`. Of its three connections, one is silent, one has
   * begun a request, and the last has sent `requests` at once.
   */
  async function listening(handler: RequestListener, requests = 1): Promise<Listening> {
    let server: Server | undefined;
    const adapter = createHttpAdapter({ serverFactory: () => (server = createServer(handler)) });
    const fastify = adapter.getInstance();
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    if (!server) throw new Error('no server');
    const running = server;
    const requestsInFlight = showRequestsInFlight(running, new Registry());
    const arrived = once(running, 'request');
    for (const bytes of ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests)]) {
      const socket = connect((running.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(bytes);
    }
    await arrived;
    const close = () => fastify.close();
    return {
      close: (waitMs) => closeServer({ server: running, close, requestsInFlight, waitMs }),
      requestsInFlight,
    };
  }

  it('ends a request in progress, and does not wait for connections without a complete one', async () => {
    const { close } = await listening((_request, response) => void setTimeout(() => response.end('done'), 300));
    const answer = once(sockets[2], 'data').then(String);
    const startedMs = performance.now();
    await close(10_000);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*done/);
  });

  it('lets a client complete the head that it has begun', async () => {
    const { close } = await listening((_request, response) => void response.end('done'));
    const closed = close(10_000);
    await sleep(50);
    const answer = once(sockets[1], 'data').then(String);
    sockets[1].write('TP/1.1\r\nHost: a\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*done/);
    await closed;
  });

  it('rejects when a request does not end in time, and ends its connection', async () => {
    const { close } = await listening(() => undefined);
    const ended = once(sockets[2], 'close');
    await expect(close(100)).rejects.toThrow('1 requests in progress did not end within 100 ms');
    await ended;
  });

  it('does not wait for requests whose client has disconnected, however many it sent at once', async () => {
    const { close, requestsInFlight } = await listening(() => undefined, 3);
    expect(requestsInFlight()).toBe(3);
    sockets[2].destroy();
    for (let waits = 0; requestsInFlight() > 0 && waits < 200; waits++) await sleep(5);
    expect(requestsInFlight()).toBe(0);
    const startedMs = performance.now();
    await close(10_000);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
  });

  it('reports no requests in progress once no connection is left', async () => {
    const close = (): Promise<void> => Promise.resolve();
    await closeServer({ server: createServer(), close, requestsInFlight: () => 1, waitMs: 100 });
  });
});
