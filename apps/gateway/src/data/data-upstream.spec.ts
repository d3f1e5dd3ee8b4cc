import { Server, createServer } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { FakeUpstream } from '../../test/fake-upstream';
import { DataUpstream } from './data-upstream';

describe('DataUpstream', () => {
  const service = new FakeUpstream();
  let upstream: DataUpstream;
  let edge: Server;
  let outcomes: Promise<number | null>[];

  beforeAll(async () => {
    upstream = new DataUpstream(await service.start(), 200);
    outcomes = [];
    edge = createServer((request, response) => {
      const read = { method: 'GET' as const, target: request.url ?? '', headers: {}, answerHeaders: [] };
      outcomes.push(upstream.pass(read, response));
    });
    await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    edge.closeAllConnections();
    edge.close();
    await upstream.stop();
    await service.stop();
  });

  it('lets go of a client that stops reading in the middle of an answer', async () => {
    const released = new Promise<void>((resolve) => {
      service.answer = (response) => {
        response.once('close', resolve);
        response.writeHead(200).end(Buffer.alloc(64 * 1024 * 1024, 'x'));
      };
    });
    const client: Socket = connect((edge.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
      client.pause();
    });
    client.on('error', () => undefined);
    await released;
    expect(await Promise.all(outcomes)).toEqual([null]);
    expect(upstream.underWay()).toBe(0);
    client.destroy();
  });
});
