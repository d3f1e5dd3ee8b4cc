import { once } from 'node:events';
import { Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeIngestion } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { eventBodyLimits, eventLimits } from '../routes/body-limits';

describe('the bodies of events that arrive slowly', () => {
  const ingestion = new FakeIngestion();
  const sockets: Socket[] = [];
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [await ingestion.start()] });
    gateway.keys.setIntegration('acme', { status: 'active', rate_per_second: 5_000 });
  });
  afterAll(async () => {
    sockets.forEach((socket) => socket.destroy());
    await gateway.stop();
    await ingestion.stop();
  });

  const headOf = (path: string, key: string, bytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

  /** Sends all of a body but its last byte; resolves with the status of an answer. */
  async function sendMost(path: string, key: string): Promise<{ status?: number }> {
    const socket = connect(gateway.port, '127.0.0.1');
    sockets.push(socket);
    const seen: { status?: number } = {};
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => (seen.status = Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1])));
    await once(socket, 'connect');
    socket.write(headOf(path, key, eventLimits.maxBodyBytes));
    socket.write(Buffer.alloc(eventLimits.maxBodyBytes - 1, ' '));
    return seen;
  }

  it('take a bounded part of the memory, and leave others theirs', async () => {
    const key = gateway.newKey('acme');
    const most = eventBodyLimits.maxBytesPerCaller / eventLimits.maxBodyBytes;
    const seen: { status?: number }[] = [];
    const paths = ['/cdp/v1/users/events/send', '/cdp/v1/users/events/validate'];
    const isRefused = (): boolean => seen.some(({ status }) => status === 503);
    for (let sent = 0; sent < most + 40; sent += 20)
      seen.push(...(await Promise.all(Array.from({ length: 20 }, (_, at) => sendMost(paths[at % 2], key)))));
    for (const endMs = Date.now() + 3_000; !isRefused() && Date.now() < endMs;) await sleep(10);
    expect(isRefused()).toBe(true);
    const other = await fetch(`${gateway.url}/cdp/v1/users/events/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.newKey('zenith')}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(other.status).toBe(200);
  }, 30_000);
});
