import { once } from 'node:events';
import { Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeUpstream, ok } from '../../test/fake-upstream';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';
import { groupLimits } from '../proxy/group-limits';

/** Opens a connection from a separate address, so that no limit per client is reached by accident. */
async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const slowHead = (target: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;

describe('with clients that send slowly, disconnect or never read', () => {
  const service = new FakeUpstream();
  let serviceUrl: string;
  let gateway: GatewayUnderTest;
  let sockets: Socket[];

  beforeAll(async () => {
    serviceUrl = await service.start();
    gateway = await startGateway({
      redisUrl: 'redis://127.0.0.1:1',
      ingestionUrls: [],
      upstreamUrl: serviceUrl,
      maxConnectionsPerClient: 400,
      trustedProxies: ['127.0.0.9'],
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
  });
  beforeEach(() => {
    sockets = [];
    service.seen.length = 0;
    service.answer = ok;
  });
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  /** Connections that send a request's head and then single bytes slowly; each resolves with the response's first bytes. */
  async function drip(target: string, count: number): Promise<Promise<string>[]> {
    const answers: Promise<string>[] = [];
    for (let at = 0; at < count; at++) {
      const socket = await open(gateway.port, `127.0.1.${1 + (at % 200)}`);
      answers.push(once(socket, 'data').then(String));
      socket.write(slowHead(target));
      const timer = setInterval(() => socket.write('x'), 200);
      socket.once('close', () => clearInterval(timer));
      sockets.push(socket);
    }
    return answers;
  }

  it('serves others while slow bodies arrive at every kind of route, uses no connection to a service for them, and returns 408', async () => {
    const targets = ['/connect/logout', '/v1/me/links/x/start', '/v1/oauth/callback/x', '/admin/v1/links'];
    const answers: Promise<string>[] = [];
    for (const target of targets) answers.push(...(await drip(target, 70)));
    let answered = 0;
    for (const answer of answers) void answer.then(() => answered++);
    for (const target of targets) {
      expect((await fetch(gateway.url + target)).status).toBe(200);
      expect(answered).toBeLessThan(answers.length);
    }
    expect(service.seen.map(({ method }) => method)).toEqual(targets.map(() => 'GET'));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"request_timeout"');
    }
  }, 30_000);

  it('keeps serving after clients have disconnected at any time', async () => {
    service.answer = (response) => void setTimeout(() => ok(response), 20);
    const heads = [
      slowHead('/connect/logout'),
      slowHead('/cdp/v1/users/events/send'),
      slowHead('/nowhere'),
      'GET /connect HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /docs HTTP/1.1\r\nHost: a\r\n\r\nGET /docs HTTP/1.1\r\nHost: a\r\n\r\n',
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\nbytes',
      'GET /connect HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nbytes',
      'POST /connect HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
      'GET /conn',
      'what is no HTTP\r\n\r\n',
    ];
    for (const head of heads)
      for (let delayMs = 0; delayMs < 30; delayMs += 3) {
        const socket = await open(gateway.port, '127.0.2.1');
        socket.write(head);
        await sleep(delayMs);
        socket.resetAndDestroy();
      }
    await sleep(100);
    expect((await fetch(`${gateway.url}/connect`)).status).toBe(200);
  });

  it('closes a connection whose client has closed its side', async () => {
    service.answer = () => undefined;
    for (const head of [
      slowHead('/connect'),
      slowHead('/v1/me/links'),
      'GET /connect HTTP/1.1\r\nHost: a\r\n\r\n',
      'GE',
    ])
      for (let at = 0; at < 20; at++) {
        const socket = await open(gateway.port, '127.0.2.2');
        socket.end(head);
        sockets.push(socket.resume());
      }
    await Promise.all(sockets.map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it('responds to a request once, even if its body fails after the response', async () => {
    const { text, closed } = await rawExchange(
      gateway.port,
      'GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n',
      { quietMs: 3_000 },
    );
    expect([text.match(/^HTTP\/1\.1 \d+/gm), closed]).toEqual([['HTTP/1.1 200'], true]);
  });

  it.each([
    ['the gateway stops', true, ''],
    ['its client will send no other', false, 'Connection: close\r\n'],
  ])('reads the short body of a request that it refuses before it closes, when %s', async (_when, draining, header) => {
    gateway.draining = draining;
    const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.2.3', allowHalfOpen: true });
    sockets.push(socket);
    const seen: string[] = [];
    for (const event of ['end', 'error', 'close']) socket.on(event, () => seen.push(event));
    const bytes = 60_000;
    socket.write(
      `POST /cdp/v1/users/events/send HTTP/1.1\r\nHost: a\r\n${header}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    gateway.draining = false;
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 [^]*connection: close\r\n/i);
    await sleep(100);
    // A server that closes now resets the connection at the rest of the body, and the client may lose the response.
    expect(seen).toEqual([]);
    socket.write(Buffer.alloc(bytes));
    await once(socket, 'end');
    socket.end();
    await once(socket, 'close');
    expect(seen).toEqual(['end', 'close']);
  });

  describe('responds to a complete request as usual when malformed bytes follow it, and closes:', () => {
    const head =
      'POST /connect/logout HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

    it('with it', async () => {
      service.answer = (response) => void setTimeout(() => ok(response), 100);
      const { text, headers, closed } = await rawExchange(gateway.port, `${head}}\n`, { quietMs: 3_000 });
      expect([text.match(/^HTTP\/1\.1 \d+/gm), headers.connection, closed]).toEqual([['HTTP/1.1 200'], 'close', true]);
      expect(service.seen).toHaveLength(1);
    });

    it('and of several requests, after the last complete one', async () => {
      service.answer = (response) => void setTimeout(() => ok(response), 100);
      const incomplete = `${head.split('\r\n').slice(0, 3).join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n`;
      for (const [after, count] of [
        ['}}\r\n\r\n', 2],
        [incomplete, 2],
        [head + incomplete, 3],
      ] as const) {
        service.seen.length = 0;
        const { text, closed } = await rawExchange(gateway.port, head + head + after, { quietMs: 3_000 });
        const responses = text.split(/^(?=HTTP)/m);
        expect(responses.map((response) => response.slice(0, 12))).toEqual(Array(count).fill('HTTP/1.1 200'));
        expect(responses.map((response) => /^connection: close\r/im.test(response))).toEqual(
          responses.map((_, at) => at === count - 1),
        );
        expect([closed, service.seen.length]).toEqual([true, count]);
      }
    });

    it('also when a request for a tunnel follows it', async () => {
      service.answer = (response) => void setTimeout(() => ok(response), 100);
      const tunnel = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n';
      for (const [bytes, count] of [
        [head + tunnel, 1],
        [head + head + tunnel, 2],
      ] as const) {
        const { text, closed } = await rawExchange(gateway.port, bytes, { quietMs: 3_000 });
        expect([text.match(/^HTTP\/1\.1 \d+/gm), closed]).toEqual([Array(count).fill('HTTP/1.1 200'), true]);
      }
    });

    describe('also when a request for a tunnel follows it whose', () => {
      const tunnel = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n';
      const large = Buffer.alloc(8 * 2 ** 20, 'x');
      let impatient: GatewayUnderTest;
      let patient: GatewayUnderTest;

      beforeEach(async () => {
        service.answer = (response) => void response.writeHead(200, { 'content-length': large.length }).end(large);
        impatient = await start(500);
        patient = await start(600_000);
      });
      afterEach(async () => {
        await impatient.stop();
        await patient.stop();
      });

      const start = (stallTimeoutMs: number): Promise<GatewayUnderTest> =>
        startGateway({
          ...{ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [], upstreamUrl: serviceUrl },
          edgeLimits: { stallTimeoutMs },
        });

      /** A client that has sent both and does not read. */
      async function openUnread({ port }: GatewayUnderTest): Promise<Socket> {
        const socket = await open(port, '127.0.2.3');
        sockets.push(socket.pause());
        socket.write(head + tunnel);
        while (service.seen.length === 0) await sleep(10);
        return socket;
      }

      it('client reads late', async () => {
        const socket = await openUnread(patient);
        // Until the gateway holds as much as it will, and waits for the client.
        await sleep(300);
        let received = '';
        socket.on('data', (chunk) => (received += chunk.toString('latin1')));
        socket.resume();
        await once(socket, 'close');
        const bodyAt = received.indexOf('\r\n\r\n') + 4;
        expect(received.length - bodyAt).toBe(large.length);
      });

      it('client resets the connection', async () => {
        (await openUnread(impatient)).resetAndDestroy();
        while ((await impatient.openConnections()) > 0) await sleep(20);
      });

      it('client does not read, after the time of idle connections', async () => {
        await openUnread(impatient);
        while ((await impatient.openConnections()) > 0) await sleep(20);
      }, 10_000);

      it('client does not read, when the gateway stops', async () => {
        const stopping = await start(600_000);
        await openUnread(stopping);
        await stopping.stop();
        expect(await stopping.openConnections()).toBe(0);
      }, 10_000);
    });

    it('several times, while its response is being sent', async () => {
      let end: () => void = () => undefined;
      service.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).write('first, ');
        end = () => void response.end('last');
      };
      const { text, closed } = await rawExchange(gateway.port, head, {
        quietMs: 3_000,
        keepWriting: (socket) =>
          void (async () => {
            await once(socket, 'data');
            socket.write('}\n');
            await sleep(50);
            socket.write('}\n');
            await sleep(50);
            end();
          })(),
      });
      expect([text.match(/^HTTP\/1\.1 \d+/gm), closed]).toEqual([['HTTP/1.1 200'], true]);
      expect(text).toMatch(/first, [^]*last/);
    });
  });

  it('limits the concurrent requests of one client to its share, and leaves others theirs', async () => {
    const { maxPerClient } = groupLimits.callbacks;
    service.answer = () => undefined;
    for (let at = 0; at < maxPerClient; at++) {
      const socket = await open(gateway.port, '127.0.3.1');
      socket.write('GET /v1/oauth/callback/x HTTP/1.1\r\nHost: a\r\n\r\n');
      sockets.push(socket);
    }
    while (service.seen.length < maxPerClient) await sleep(10);
    const refused = await open(gateway.port, '127.0.3.1');
    refused.write('GET /v1/oauth/callback/x HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = (await once(refused, 'data')) as [Buffer];
    refused.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1[^]*"code":"rate_limited"/);
    service.answer = ok;
    expect((await fetch(`${gateway.url}/v1/oauth/callback/x`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/connect`)).status).toBe(200);
    sockets.forEach((socket) => socket.destroy());
    for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 20) {
      const again = await rawExchange(gateway.port, 'GET /connect HTTP/1.1\r\nHost: a\r\n\r\n', { quietMs: 20 });
      if (again.status === 200) return;
    }
    throw new Error('the share was not released');
  });

  it('closes connections above the limit of a client at once, counts them, and accepts other clients', async () => {
    for (let at = 0; at < 400; at++) sockets.push(await open(gateway.port, '127.0.4.1'));
    const refused = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.4.1' });
    refused.on('error', () => undefined);
    await new Promise((resolve) => refused.once('close', resolve));
    expect(await gateway.registry.metrics()).toContain('gateway_connections_refused_total{reason="client"} 1');
    expect((await fetch(`${gateway.url}/connect`)).status).toBe(200);
    for (let at = 0; at < 410; at++) sockets.push(await open(gateway.port, '127.0.0.9'));
    await sleep(200);
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
    sockets[0].destroy();
    await sleep(100);
    const again = await open(gateway.port, '127.0.4.1');
    again.write('GET /connect HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(again, 'data'))).toContain('200 OK');
    again.destroy();
  });
});

describe('over https', () => {
  const service = new FakeUpstream();
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({
      redisUrl: 'redis://127.0.0.1:1',
      ingestionUrls: [],
      upstreamUrl: await service.start(),
      publicUrl: 'https://gateway.example',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
  });

  it.each([
    ['a page', 'GET /connect'],
    ['a document', 'GET /docs'],
    ['an unknown path', 'GET /nothing'],
    ['an unknown method', 'PUT /docs'],
    ['an event without a key', 'POST /cdp/v1/users/events/send'],
    ['a read without a key', 'GET /data/v4/games'],
    ['a path that cannot be decoded', 'GET /%zz'],
    ['a tunnel', 'CONNECT a:1'],
    ['a malformed request', 'GET'],
    ['another host', 'GET http://evil.example/'],
  ])('tells browsers at %s to come by https alone', async (_what, line) => {
    const { status, headers } = await rawExchange(gateway.port, `${line} HTTP/1.1\r\nHost: a\r\n\r\n`, { quietMs: 50 });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    if (status >= 400) expect(headers['cache-control']).toBe('no-store');
  });

  it('accepts absolute-form targets of each address of the deployment, and of no other host', async () => {
    const statusAt = async (host: string): Promise<number> =>
      (
        await rawExchange(gateway.port, `GET https://${host}/connect HTTP/1.1\r\nHost: ${host}\r\n\r\n`, {
          quietMs: 50,
        })
      ).status;
    const hosts = [
      'gateway.example',
      'further.example',
      'FURTHER.example',
      'evil.example',
      'further.example.evil.example',
    ];
    expect(await Promise.all(hosts.map(statusAt))).toEqual([200, 200, 200, 400, 400]);
  });
});
