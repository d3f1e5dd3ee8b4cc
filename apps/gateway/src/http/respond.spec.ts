import { once } from 'node:events';
import { Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { eventBatchLimits, eventIdLimits } from '../routes/body-limits';

const batch = '/cdp/v1/users/events/batch';
const reconcile = '/cdp/v1/users/events/reconcile';
const pieceBytes = 64 * 1024;

interface Sending {
  readonly path: string;
  readonly bytes: number;
  /** Header lines that say how long the body is, and what becomes of the connection. */
  readonly headers: string;
  /** Of the event key, if it is a valid one. */
  readonly key?: string;
  /** Pause after each piece of the body, so that it does not wait in the memory of the connection. */
  readonly paceMs?: number;
}

describe('a refusal that a client reads only after it has written its whole body', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [] });
  });
  afterAll(() => gateway.stop());

  /** Sends as blocking libraries do; resolves with the status line, and rejects when the connection breaks before. */
  async function statusOf({ path, bytes, headers, key = 'x', paceMs = 3 }: Sending): Promise<string> {
    const socket = connect(gateway.port, '127.0.0.1');
    const broken = once(socket, 'close').then(() => Promise.reject(new Error('the connection broke')));
    broken.catch(() => undefined);
    socket.on('error', () => undefined);
    const isChunked = headers.includes('chunked');
    try {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
      socket.write(`${head}\r\n${headers}\r\n\r\n`);
      for (let left = bytes; left > 0; left -= pieceBytes) {
        const piece = ' '.repeat(Math.min(left, pieceBytes));
        const data = isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
        await Promise.race([written(socket, data), broken]);
        await Promise.race([sleep(paceMs), broken]);
      }
      if (isChunked) socket.write('0\r\n\r\n');
      const [answer] = (await Promise.race([once(socket, 'data'), broken])) as [Buffer];
      return answer.toString().split('\r\n', 1)[0];
    } finally {
      socket.destroy();
    }
  }

  const closing = (bytes: number): string => `Content-Length: ${bytes}\r\nConnection: close`;

  it('arrives for every body within the limit of its route, also on a connection that its client closes', async () => {
    const { maxBodyBytes: bytes } = eventIdLimits;
    for (const headers of [`Content-Length: ${bytes}`, closing(bytes), 'Transfer-Encoding: chunked'])
      expect([headers, await statusOf({ path: reconcile, bytes, headers })]).toEqual([
        headers,
        'HTTP/1.1 401 Unauthorized',
      ]);
  });

  it('arrives for a batch above its limit, as large as 100 of the largest events', async () => {
    const bytes = 100 * 64 * 1024;
    expect(bytes).toBeGreaterThan(eventBatchLimits.maxBodyBytes);
    const key = gateway.newKey('acme');
    for (const headers of [`Content-Length: ${bytes}`, 'Transfer-Encoding: chunked'])
      expect(await statusOf({ path: batch, bytes, headers, key })).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('arrives for a body that takes as long as its route may read it', async () => {
    const [bytes, paceMs] = [5 * pieceBytes, 800];
    expect(5 * paceMs).toBeLessThan(eventBatchLimits.bodyTimeoutMs);
    expect(await statusOf({ path: batch, bytes, headers: closing(bytes), paceMs })).toBe('HTTP/1.1 401 Unauthorized');
  }, 15_000);
});

function written(socket: Socket, data: string): Promise<void> {
  return new Promise((resolve) => socket.write(data, () => resolve()));
}
