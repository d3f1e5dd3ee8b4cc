import { FakeUpstream } from '../../test/fake-upstream';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';

describe('a read with a chunked body', () => {
  const service = new FakeUpstream();
  let gateway: GatewayUnderTest;
  let platforms = 0;
  /** Makes a key for each path; questions about event ids have a low rate, so each platform asks few. */
  const keys: Record<string, () => string> = {
    '/data/v4/games': () => gateway.newDataKey().key,
    '/cdp/v1/contract': () => gateway.newKey('acme'),
    '/cdp/v1/users/events/status?id=a': () => gateway.newKey(`acme-${(platforms += 1)}`),
  };
  const paths = Object.keys(keys);

  beforeAll(async () => {
    const upstreamUrl = await service.start();
    gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], upstreamUrl });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
  });
  beforeEach(() => (service.seen.length = 0));

  const headOf = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys[path]()}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const end = '0\r\n\r\n';
  const largest = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  /** Methods of the reads that arrived; a request of another spec may reach a port that it has given up. */
  const reads = (): string[] =>
    service.seen.flatMap(({ method, url }) =>
      /^\/(data\/v4\/games|internal\/v1\/contract|internal\/v1\/event-status\?id=a)$/.test(url) ? [method] : [],
    );

  it.each(paths)('is answered and keeps its connection when the body is empty or short: %s', async (path) => {
    for (const body of [end, `2\r\n{}\r\n${end}`, largest + end]) {
      service.seen.length = 0;
      const twice = (headOf(path) + body).repeat(2);
      const { text, closed } = await rawExchange(gateway.port, twice, { quietMs: 50, responses: 2 });
      expect([text.match(/^HTTP\/1\.1 \d+/gm), closed]).toEqual([['HTTP/1.1 200', 'HTTP/1.1 200'], false]);
      expect(reads()).toEqual(['GET', 'GET']);
    }
  });

  it.each(paths)('is answered when its end comes later: %s', async (path) => {
    const { status } = await rawExchange(gateway.port, headOf(path), {
      keepWriting: (socket) => void setTimeout(() => socket.write(end), 100),
    });
    expect([status, reads()]).toEqual([200, ['GET']]);
  });

  it.each(paths)('is refused when the body is long: %s', async (path) => {
    const { status } = await rawExchange(gateway.port, `${headOf(path)}${largest}1\r\nx\r\n${end}`);
    expect([status, reads()]).toEqual([413, []]);
  });

  it('is refused when the body has no end', async () => {
    const { status, closed } = await rawExchange(gateway.port, headOf(paths[0]), { quietMs: 3_000 });
    expect([status, closed, reads()]).toEqual([408, true, []]);
  }, 15_000);
});
