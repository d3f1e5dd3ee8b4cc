import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CheckAnswer } from '@podium/partner-check';
import { NodeTransport } from './node-transport';

/** A page of a proxy, larger than what is read of an answer. */
const page = Buffer.alloc(100_000, 'x');

describe('answers to the check of a partner server', () => {
  const transport = new NodeTransport();
  const server = createServer(({ url = '' }, response) => {
    const [, status, kind] = url.split('/');
    const [body, encoding] = kind === 'gzip' ? [gzipSync(page), 'gzip'] : [page, 'identity'];
    response.writeHead(Number(status), { 'content-encoding': encoding, 'retry-after': '120' }).end(body);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    transport.close();
    await new Promise((resolve) => server.close(resolve));
  });

  function answerOf(path: string): Promise<CheckAnswer> {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    return transport.send({ method: 'GET', url, headers: {}, timeoutMs: 5_000 });
  }

  it.each(['/503/large', '/500/large', '/429/large', '/502/gzip'])(
    'say by their status that the server is busy or broken, as Podium takes them, whatever their body is: %s',
    async (path) => {
      const answer = await answerOf(path);
      if (!answer.ok) throw new Error(answer.reason);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([Number(path.split('/')[1]), '120']);
      expect(answer.body.length).toBeLessThanOrEqual(65_536);
    },
  );

  it.each([
    ['/200/large', 'size'],
    ['/404/large', 'size'],
    ['/200/gzip', 'compressed'],
  ])('are not read when their body cannot be and would say something: %s', async (path, fault) => {
    expect(await answerOf(path)).toMatchObject({ ok: false, fault, status: Number(path.split('/')[1]) });
  });
});
