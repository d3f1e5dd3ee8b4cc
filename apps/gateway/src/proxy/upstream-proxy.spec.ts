import { once } from 'node:events';
import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyScope } from '@podium/messages';
import { maxServiceHeaderBytes } from '@podium/runtime/app';
import { internalToken } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';
import { edgeLimits } from '../server/edge-server';
import { groupLimits } from './group-limits';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

describe('a forwarded route', () => {
  let gateway: GatewayUnderTest;
  let upstream: Server;
  const seen: Seen[] = [];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    upstream = createServer({ maxHeaderSize: maxServiceHeaderBytes }, async (request, response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
      } catch {
        return;
      }
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      answer(response);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    gateway = await startGateway({
      redisUrl: 'redis://127.0.0.1:1',
      ingestionUrls: [],
      upstreamUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    });
  });
  afterAll(async () => {
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  });
  beforeEach(() => {
    seen.length = 0;
    answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });

  it('forwards method, path, query and body, with identity headers of the gateway only', async () => {
    const reply = await fetch(`${gateway.url}/admin/v1/links?platform=a%26b&x=1`, {
      method: 'POST',
      body: 'any bytes',
      headers: {
        'content-type': 'text/plain',
        authorization: 'Bearer operator',
        cookie: 'a=b',
        'x-request-id': 'my-id',
        'x-podium-internal-token': 'forged',
        'x-podium-user': 'forged',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=6.6.6.6',
        'x-real-ip': '6.6.6.6',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'a=b',
      },
    });
    expect([reply.status, await reply.json(), reply.headers.get('x-request-id')]).toEqual([200, { ok: true }, 'my-id']);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/admin/v1/links?platform=a%26b&x=1', body: 'any bytes' });
    expect(seen[0].headers).toMatchObject({
      authorization: 'Bearer operator',
      cookie: 'a=b',
      'content-type': 'text/plain',
      'x-request-id': 'my-id',
      'x-podium-internal-token': internalToken,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'gateway.example',
      'x-forwarded-proto': 'http',
    });
    for (const name of ['x-podium-user', 'forwarded', 'x-real-ip', 'traceparent', 'tracestate'])
      expect(seen[0].headers[name]).toBeUndefined();
  });

  it.each([
    ['further.example', 'further.example'],
    ['Further.Example', 'further.example'],
    // As some proxies in front write it.
    ['further.example:443', 'further.example'],
    ['further.example:8443', 'gateway.example'],
    ['evil.example', 'gateway.example'],
    ['further.example.evil.example', 'gateway.example'],
  ])('says that the browser asked %s as %s', async (host, named) => {
    answer = (response) => void response.end('{}');
    const head = `GET /connect HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: further.example\r\n\r\n`;
    await rawExchange(gateway.port, head, { quietMs: 50 });
    expect(seen.at(-1)?.headers['x-forwarded-host']).toBe(named);
  });

  it('leaves redirects, cookies and statuses unchanged', async () => {
    answer = (response) =>
      void response
        .writeHead(302, { location: 'https://partner.example/auth?state=1', 'set-cookie': ['a=1; HttpOnly', 'b=2'] })
        .end();
    const reply = await fetch(`${gateway.url}/v1/oauth/callback/some-id?code=secret`, { redirect: 'manual' });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://partner.example/auth?state=1']);
    expect(reply.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2']);
    answer = (response) =>
      void response.writeHead(503, { 'retry-after': '7' }).end('{"error":{"code":"unavailable","message":"m"}}');
    const down = await fetch(`${gateway.url}/connect`);
    expect([down.status, down.headers.get('retry-after'), seen.length]).toEqual([503, '7', 2]);
  });

  it.each(['/admin/v1/links', '/data/v4/games'])(
    'to %s passes headers up to the limit of the edge, with those that the gateway adds',
    async (path) => {
      const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(64, 'x'));
      const scopes: KeyScope[] = [
        { scope: 'data:read' },
        { scope: 'queues:developer', game_ids: ids },
        { scope: 'queues:organizer', organizer_ids: ids },
      ];
      const headers = { authorization: `Bearer ${gateway.newDataKey({ scopes }).key}` };
      const target = `${path}?x=${'y'.repeat(edgeLimits.maxHeaderBytes - 1024)}`;
      expect((await fetch(gateway.url + target, { headers })).status).toBe(200);
      expect(seen.map(({ url }) => url)).toEqual([target]);
    },
  );

  it.each([
    '/admin/v1/links/../../../internal/v1/events',
    '/admin/v1/links/%2e%2e/%2E%2e/x',
    '/admin/v1/links/..%5C..',
    '/connect/..\\..\\internal',
  ])('does not let %s out of its part of the service', async (target) => {
    const reply = await rawExchange(gateway.port, `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`, {
      quietMs: 100,
    });
    if (seen.length > 0) expect(new URL(seen[0].url, 'http://a').pathname).toMatch(/^\/(admin\/v1\/links|connect)\//);
    else expect([400, 404]).toContain(reply.status);
  });

  it.each(['/nothing', '/internal/v1/events', '/admin/v1', '/admin/v1/linksx', '/v1/me', '/health/ready', '/metrics'])(
    'returns 404 for %s',
    async (path) => {
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        body: '<x/>',
        headers: { 'content-type': 'text/xml' },
      });
      expect([reply.status, await reply.json(), seen.length]).toMatchObject([404, { error: { code: 'not_found' } }, 0]);
    },
  );

  it('forwards a body up to 1 MiB and refuses a larger one, with or without Content-Length', async () => {
    const url = `${gateway.url}/admin/v1/tasks/import`;
    const whole = await fetch(url, { method: 'PUT', body: 'x'.repeat(1024 * 1024) });
    expect([whole.status, seen[0].body.length]).toEqual([200, 1024 * 1024]);
    const announced = await fetch(url, { method: 'PUT', body: 'x'.repeat(1024 * 1024 + 1) });
    expect([announced.status, await announced.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
    const body = new Blob(['x'.repeat(1024 * 1024 + 1)]).stream();
    const chunked = await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit);
    expect([chunked.status, await chunked.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
    expect(seen).toHaveLength(1);
  });

  it('counts the requests of a client before it reads their bodies, so that none takes the memory of all', async () => {
    const { maxPerClient } = groupLimits.operators;
    const head = 'PUT /admin/v1/tasks/import HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n';
    const answers: Promise<string>[] = [];
    const sockets = Array.from({ length: maxPerClient + 1 }, (_, at) => {
      // The rest of no body arrives: whoever reads bodies first has no answer for any of them.
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write(`${head}half`));
      answers[at] = once(socket, 'data').then(([bytes]: Buffer[]) => bytes.toString());
      return socket;
    });
    const [refused, first] = await Promise.race(answers.map(async (answer, at) => [at, await answer] as const));
    expect(first).toMatch(/^HTTP\/1\.1 429 [^]*"code":"rate_limited"/);
    expect(seen).toHaveLength(0);
    for (const [at, socket] of sockets.entries()) if (at !== refused) socket.write(' whole');
    const others = (await Promise.all(answers)).filter((_, at) => at !== refused);
    expect(others.filter((answer) => !answer.startsWith('HTTP/1.1 200 '))).toEqual([]);
    expect([seen.length, seen[0].body]).toEqual([maxPerClient, 'half whole']);
    for (const socket of sockets) socket.destroy();
  });

  it('leaves memory for bodies of other clients, however many bodies two of them send', async () => {
    const bytes = 1024 * 1024;
    const head = `PUT /admin/v1/tasks/import HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
    const sockets: Socket[] = [];
    for (const localAddress of ['127.0.5.1', '127.0.5.2'])
      for (let at = 0; at < groupLimits.operators.maxPerClient; at++) {
        const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress });
        sockets.push(socket.on('error', () => undefined).resume());
        // Without its last byte no body is passed on, and each stays in memory.
        const isWritten = new Promise<unknown>((resolve) =>
          socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - 1, 'x')]), resolve),
        );
        await isWritten;
      }
    await sleep(300);
    const reply = await fetch(`${gateway.url}/admin/v1/tasks/import`, { method: 'PUT', body: 'x'.repeat(1_000) });
    for (const socket of sockets) socket.destroy();
    expect(reply.status).toBe(200);
  });

  it('returns 405 with Allow for a method that no service has', async () => {
    const reply = await rawExchange(gateway.port, 'TRACE /admin/v1/tasks HTTP/1.1\r\nHost: a\r\n\r\n', { quietMs: 50 });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
  });

  it.each(['refusals', 'drift'])('asks another address of ingestion for %s when one is unreachable', async (read) => {
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const halfAway = await startGateway({
      ...{ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], partnerReadUrls: ['http://127.0.0.1:1', url] },
    });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await fetch(`${halfAway.url}/admin/v1/${read}?x=${at}`)).status);
    await halfAway.stop();
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(seen.map((request) => request.url)).toEqual(statuses.map((_, at) => `/admin/v1/${read}?x=${at}`));
  });

  it('returns 503 in its own format when the service is unavailable or breaks the connection', async () => {
    answer = (response) => response.destroy();
    const cut = await fetch(`${gateway.url}/v1/me/links`);
    expect([cut.status, await cut.json(), cut.headers.get('retry-after')]).toMatchObject([
      503,
      { error: { code: 'unavailable' } },
      '2',
    ]);
    const away = await startGateway({
      redisUrl: 'redis://127.0.0.1:1',
      ingestionUrls: [],
      upstreamUrl: 'http://127.0.0.1:1',
    });
    const reply = await fetch(`${away.url}/v1/me/links`);
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    await away.stop();
  });
});
