import { once } from 'node:events';
import { Server, ServerResponse } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { FastifyInstance } from 'fastify';
import { closeQueuedResponses, queuedResponses } from './queued-responses';

describe('queued responses', () => {
  let instance: FastifyInstance;
  let server: Server;
  /** In the order of the requests. */
  let responses: ServerResponse[];
  /** Positions in `responses`. */
  let closed: number[];
  let client: Socket;

  beforeEach(() => {
    responses = [];
    // Connections of the test before may close a moment after its server has.
    const closedHere = (closed = [] as number[]);
    instance = fastify();
    server = instance.server;
    closeQueuedResponses(server);
    server.on('request', (_request, response) => {
      const at = responses.push(response) - 1;
      response.on('close', () => closedHere.push(at));
    });
    instance.get('/held', (_request, reply) => void reply.hijack());
  });
  afterEach(async () => {
    client.destroy();
    await instance.close();
  });

  /** Sends requests at once, and waits until the server has them. */
  async function send(...targets: string[]): Promise<void> {
    await instance.listen({ port: 0, host: '127.0.0.1' });
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    while (responses.length < targets.length) await sleep(5);
  }

  async function untilClosed(count: number): Promise<void> {
    for (let waits = 0; closed.length < count && waits < 200; waits++) await sleep(5);
    expect(closed).toHaveLength(count);
  }

  it('are known in the order of their requests until their turn comes', async () => {
    await send('/held', '/held', '/held');
    const { socket } = responses[0].req;
    expect(queuedResponses(socket).map((response) => responses.indexOf(response))).toEqual([1, 2]);
    responses[0].end();
    await once(responses[1], 'socket');
    expect(queuedResponses(socket).map((response) => responses.indexOf(response))).toEqual([2]);
  });

  it('close once when their connection ends, also those that had ended or were destroyed', async () => {
    await send('/held', '/held', '/held', '/held');
    responses[2].end('x');
    responses[3].destroy();
    client.destroy();
    await untilClosed(4);
    await sleep(50);
    expect([...closed].sort()).toEqual([0, 1, 2, 3]);
    expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
  });

  it('close once when they are sent', async () => {
    await send('/held', '/held');
    responses[1].end();
    responses[0].end();
    await untilClosed(2);
    const ended = once(responses[0].req.socket, 'close');
    client.destroy();
    await ended;
    expect(closed).toEqual([0, 1]);
  });

  it.each(['before', 'after'])(
    'end the stream that they would send, when their connection ends %s the stream is made',
    async (when) => {
      const stream = Readable.from(Array(20).fill(Buffer.alloc(1024 * 1024)));
      let make: () => void = () => undefined;
      const asked = new Promise<void>((resolve) => (make = resolve));
      instance.get('/stream', (_request, reply) => void asked.then(() => reply.send(stream)));
      await send('/held', '/stream');
      if (when === 'after') make();
      await sleep(20);
      const ended = once(stream, 'close');
      client.destroy();
      await untilClosed(2);
      make();
      await ended;
    },
  );
});
