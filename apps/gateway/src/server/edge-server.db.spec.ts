import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode, errorCatalogue } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeIngestion } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';

const path = '/cdp/v1/users/events/send';

describe('the public server, given raw bytes,', () => {
  const ingestion = new FakeIngestion();
  let gateway: GatewayUnderTest;
  let platform: string;
  let key: string;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: localStack().redisUrl, ingestionUrls: [await ingestion.start()] });
  });
  afterAll(async () => {
    await gateway.stop();
    await ingestion.stop();
  });
  beforeEach(() => {
    platform = freshName('p');
    key = gateway.newKey(platform);
    ingestion.batches.length = 0;
  });

  describe('responds and closes on', () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n`;
    it.each<[string, string, number, ErrorCode]>([
      ['too many header bytes', `${head}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
      ['too many headers', `${head}${'a: b\r\n'.repeat(150)}\r\n`, 431, 'headers_too_large'],
      ['two Host headers', `${head}Host: b\r\nContent-Length: 0\r\n\r\n`, 400, 'invalid_request'],
      ['no Host header', `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, 400, 'invalid_request'],
      ...['a b', 'a/b', 'user@a', 'a:b', 'a:80:80', '[::1', '[x]', 'a%zz', '\xe9', 'http://a'].map(
        (host): [string, string, number, ErrorCode] => [
          `the Host ${host}`,
          `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`,
          ...([400, 'invalid_request'] as const),
        ],
      ),
      ['HTTP/0.9', `GET ${path}\r\n\r\n`, 400, 'invalid_request'],
      ['HTTP/2.0', `POST ${path} HTTP/2.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n`, 400, 'invalid_request'],
      ['an unknown transfer coding', `${head}Transfer-Encoding: gzip\r\n\r\n`, 400, 'invalid_request'],
      [
        'another transfer coding before chunked',
        `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
        400,
        'invalid_request',
      ],
      [
        'chunks in HTTP/1.0',
        `POST ${path} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
        'invalid_request',
      ],
      [
        'Content-Length with Transfer-Encoding',
        `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
        'invalid_request',
      ],
      [
        "another host's absolute-form target",
        'POST http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n',
        400,
        'invalid_request',
      ],
      ['an unknown expectation', `${head}Expect: 200-ok\r\nContent-Length: 0\r\n\r\n`, 400, 'invalid_request'],
      ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405, 'method_not_allowed'],
      ['bytes that are not HTTP', 'EHLO there\r\n\r\n', 400, 'invalid_request'],
    ])('%s', async (_name, bytes, status, expected) => {
      const answer = await rawExchange(gateway.port, bytes, { quietMs: 3000 });
      expect([answer.status, answer.closed]).toEqual([status, true]);
      expect(JSON.parse(answer.body)).toEqual({
        error: { code: expected, message: expect.any(String) as string, retry: errorCatalogue[expected].retry },
      });
      expect(answer.headers['x-request-id']).toBeTruthy();
      expect(Math.abs(Date.parse(answer.headers.date) - Date.now())).toBeLessThan(60_000);
      expect(answer.headers.connection).toBe('close');
    });

    it.each([
      ['slow headers', `POST ${path} HTTP/1.1\r\nHost: a\r\n`],
      [
        'a slow body',
        () =>
          `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      ],
    ])('%s', async (_name, bytes) => {
      const answer = await rawExchange(gateway.port, typeof bytes === 'string' ? bytes : bytes(), { quietMs: 3000 });
      expect([answer.status, answer.closed]).toEqual([408, true]);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'request_timeout' } });
    });
  });

  it.each([
    ['too many bytes', `/data/v4/games?cursor=${'y'.repeat(20_000)}`, 431, 'err_h0'],
    ['a space', '/data/v4/search/players?nickname=a b', 400, 'err_br0'],
  ])('refuses a target with %s in the format of its API', async (_name, target, status, code) => {
    const answer = await rawExchange(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, { quietMs: 3000 });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { errors: [{ code }] }]);
  });

  it('returns 408, not a server error, for a body that is complete only after 4.5 s', async () => {
    const start = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`;
    const answer = await rawExchange(gateway.port, start, {
      quietMs: 3000,
      keepWriting: (socket) => void setTimeout(() => socket.write('}'), 4_500),
    });
    expect([answer.status, answer.closed]).toEqual([408, true]);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'request_timeout' } });
    expect(await gateway.registry.metrics()).toContain(
      `gateway_events_total{platform="${platform}",outcome="request_timeout"} 1`,
    );
    expect(ingestion.batches).toEqual([]);
  });

  it('accepts a body that is complete after 2 s', async () => {
    const start = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`;
    const answer = await rawExchange(gateway.port, start, {
      keepWriting: (socket) => void setTimeout(() => socket.write('}'), 2_000),
    });
    expect(answer.status).toBe(200);
  });

  it('accepts an absolute-form target of its own host', async () => {
    const request = (host: string): string =>
      `POST http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    expect((await rawExchange(gateway.port, request('gateway.example'), { quietMs: 50 })).status).toBe(200);
    expect((await rawExchange(gateway.port, request(`127.0.0.1:${gateway.port}`), { quietMs: 50 })).status).toBe(200);
  });

  it.each(['', 'a', 'A_b.c-d~1', '127.0.0.1:80', '[::1]:8080', 'a:', 'xn--bcher-kva.example', 'a%20b', "a!$&'()*+,;="])(
    'accepts the Host %p',
    async (host) => {
      const request = `GET /connect HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      expect((await rawExchange(gateway.port, request, { quietMs: 20 })).status).not.toBe(400);
    },
  );

  it('returns its own error body for a path that cannot be decoded', async () => {
    const answer = await rawExchange(gateway.port, 'GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n', { quietMs: 100 });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid_request' } });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('counts a client that disconnects while it sends its body', async () => {
    const start = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;
    await rawExchange(gateway.port, start, { timeoutMs: 200 });
    const counted = `gateway_events_total{platform="${platform}",outcome="client_gone"} 1`;
    for (const endMs = Date.now() + 10_000; !(await gateway.registry.metrics()).includes(counted); await sleep(20))
      if (Date.now() > endMs) throw new Error('timed out: the disconnect was not counted');
    expect(ingestion.batches).toEqual([]);
  });

  it('keeps the connection open after refusing a short body and closes it after a long one', async () => {
    const short = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`;
    const twice = await rawExchange(gateway.port, short + short, { quietMs: 200, responses: 2 });
    expect(twice.text.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
    expect(twice.closed).toBe(false);
    const long = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(900_000)}`;
    const once = await rawExchange(gateway.port, long, { quietMs: 2500 });
    expect([once.status, once.closed]).toEqual([401, true]);
  });

  it('keeps memory constant under a flood of endless bodies', async () => {
    const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
    const flood = async (): Promise<number> => {
      const owner = gateway.newKey(freshName('p'));
      const start = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await rawExchange(gateway.port, start, {
        quietMs: 3000,
        keepWriting: (socket) => {
          let chunks = 400;
          const more = (): void => {
            while (chunks-- > 0 && socket.writable) if (!socket.write(chunk)) return void socket.once('drain', more);
          };
          more();
        },
      });
      return answer.status;
    };
    await Promise.all(Array.from({ length: 10 }, flood));
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 4; round++)
      expect(await Promise.all(Array.from({ length: 25 }, flood))).toEqual(Array(25).fill(413));
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(120);
  });
});
