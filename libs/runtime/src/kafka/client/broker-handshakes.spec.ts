import { once } from 'node:events';
import { AddressInfo, Server, Socket, createServer } from 'node:net';
import { pino } from 'pino';
import { createKafka } from './create-kafka';

const apiVersions = 18;
const metadata = 3;

describe('a broker that accepts a connection and does not answer', () => {
  const sockets: Socket[] = [];
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => {
      const isSilent = sockets.push(socket) === 1;
      socket.on('data', (request) => (isSilent ? undefined : socket.write(answerTo(request))));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('is asked again over another connection', async () => {
    const { port } = server.address() as AddressInfo;
    const logger = pino({ level: 'silent' });
    const kafka = createKafka({ brokers: [`127.0.0.1:${port}`], clientId: 'spec', logger });
    const admin = kafka.admin();
    await admin.connect();
    expect(await admin.listTopics()).toEqual([]);
    await admin.disconnect();
    expect(sockets[0].destroyed).toBe(true);
  }, 20_000);

  /** A response with the number of its request: the two requests that it knows, or metadata of no broker and topic. */
  function answerTo(request: Buffer): Buffer {
    const isOfVersions = request.readInt16BE(4) === apiVersions;
    const { port } = server.address() as AddressInfo;
    const body = isOfVersions ? versionsOf([apiVersions, metadata]) : clusterOf(port);
    const head = Buffer.alloc(8);
    head.writeInt32BE(4 + body.length);
    request.copy(head, 4, 8, 12);
    return Buffer.concat([head, body]);
  }
});

/** ApiVersions, version 2: no error, the versions 0 of these requests, no throttling. */
function versionsOf(requests: readonly number[]): Buffer {
  const body = Buffer.alloc(6 + 6 * requests.length + 4);
  body.writeInt32BE(requests.length, 2);
  requests.forEach((apiKey, at) => body.writeInt16BE(apiKey, 6 + 6 * at));
  return body;
}

/** Metadata, version 0: one broker at this port, no topics. */
function clusterOf(port: number): Buffer {
  const host = Buffer.from('127.0.0.1');
  const body = Buffer.alloc(4 + 4 + 2 + host.length + 4 + 4);
  body.writeInt32BE(1, 0);
  body.writeInt32BE(1, 4);
  body.writeInt16BE(host.length, 8);
  host.copy(body, 10);
  body.writeInt32BE(port, 10 + host.length);
  return body;
}
