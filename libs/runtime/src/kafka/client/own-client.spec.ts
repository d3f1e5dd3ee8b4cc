import { once } from 'node:events';
import { AddressInfo, Server, Socket, createServer } from 'node:net';
import { pino } from 'pino';
import { createKafka } from './create-kafka';

describe("a client's own connections", () => {
  const sockets: Socket[] = [];
  let server: Server;

  // A broker that has not closed its end yet.
  beforeAll(async () => {
    server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (request) => socket.write(versionsFor(request)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('are closed for good without a warning when the client has already disconnected', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const { port } = server.address() as AddressInfo;
    const { client, cutOff } = createKafka({ brokers: [`127.0.0.1:${port}`], clientId: 'spec', logger }).ownClient();
    const admin = client.admin();
    await admin.connect();
    await admin.disconnect();
    const closed = new Promise((resolve) => sockets[0].once('close', resolve));
    if (!sockets[0].readableEnded) await once(sockets[0], 'end');
    cutOff();
    // Writing to a closed connection ends it.
    const writing = setInterval(() => sockets[0].write(Buffer.alloc(4)), 10);
    await closed.finally(() => clearInterval(writing));
    expect(lines).toEqual([]);
  });
});

/** The answer to ApiVersions, version 2: this request alone is known. */
function versionsFor(request: Buffer): Buffer {
  const answer = Buffer.alloc(8 + 16);
  answer.writeInt32BE(20);
  request.copy(answer, 4, 8, 12);
  answer.writeInt32BE(1, 10);
  answer.writeInt16BE(18, 14);
  return answer;
}
