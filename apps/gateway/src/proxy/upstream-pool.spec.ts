import { IncomingMessage, Server, ServerResponse, createServer, get } from 'node:http';
import { AddressInfo, Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeQueuedResponses } from '@podium/runtime/http';
import { FakeUpstream, ok } from '../../test/fake-upstream';
import { PatientServer } from '../../test/patient-server';
import { UpstreamTimeoutError } from './upstream-call';
import { PoolLimits, UpstreamPool } from './upstream-pool';

const limits: PoolLimits = { connections: 2, maxUnderWay: 100, maxStallMs: 200 };

describe('UpstreamPool', () => {
  const service = new FakeUpstream();
  let url: string;
  let pool: UpstreamPool;
  let edge: Server;
  let outcomes: Promise<number | null>[];
  let answerTimeoutMs: number;

  beforeAll(async () => {
    url = await service.start();
    edge = createServer((request, response) => {
      const method = request.method === 'POST' ? ('POST' as const) : ('GET' as const);
      const outcome = pool.pass(
        {
          ...{ method, target: request.url ?? '', headers: {}, answerHeaders: [], answerTimeoutMs },
          isRepeatable: method === 'GET',
        },
        response,
      );
      outcomes.push(outcome);
      outcome.catch(() => response.writeHead(599).end());
    });
    closeQueuedResponses(edge);
    await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    pool = new UpstreamPool(url, limits);
    outcomes = [];
    answerTimeoutMs = 10_000;
    service.answer = ok;
    service.seen.length = 0;
  });
  afterEach(() => pool.stop());
  afterAll(async () => {
    edge.closeAllConnections();
    edge.close();
    await service.stop();
  });

  /** A request that was abandoned just before sending releases its connection a moment later. */
  async function untilIdle(): Promise<void> {
    while (pool.underWay() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  const address = (target: string): string => `http://127.0.0.1:${(edge.address() as AddressInfo).port}${target}`;

  /** A client that sends requests at once and reads nothing. */
  function nonReadingClient(...targets: string[]): Socket {
    const client = connect((edge.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
      client.pause();
    });
    client.on('error', () => undefined);
    return client;
  }

  it('releases the connection of a client that stops reading a large response', async () => {
    const released = new Promise<void>((resolve) => {
      service.answer = (response) => {
        response.once('close', resolve);
        response.writeHead(200).end(Buffer.alloc(64 * 1024 * 1024, 'x'));
      };
    });
    const client = nonReadingClient('/large');
    await released;
    expect(await Promise.all(outcomes)).toEqual([null]);
    expect(pool.underWay()).toBe(0);
    client.destroy();
  });

  it('releases the connection although the client reads nothing of a response of ordinary size', async () => {
    service.answer = (response) => void response.writeHead(200).end(Buffer.alloc(200 * 1024, 'x'));
    const clients = Array.from({ length: 10 }, () => nonReadingClient('/page'));
    while (outcomes.length < clients.length) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await Promise.all(outcomes)).toEqual(clients.map(() => 200));
    expect(pool.underWay()).toBe(0);
    for (const client of clients) client.destroy();
  });

  describe('releases the connection of a large response that waits for its turn behind another', () => {
    beforeEach(() => {
      service.answer = (response, { url: target }) =>
        target === '/large' ? void response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024, 'x')) : undefined;
    });

    it('when the client disconnects', async () => {
      await pool.stop();
      pool = new UpstreamPool(url, { ...limits, maxStallMs: 60_000 });
      const client = nonReadingClient('/silent', '/large');
      while (service.seen.length < 2) await sleep(5);
      await sleep(100);
      client.destroy();
      for (let waits = 0; pool.underWay() > 0 && waits < 200; waits++) await sleep(5);
      expect(pool.underWay()).toBe(0);
      expect(await Promise.all(outcomes)).toEqual([null, null]);
    });

    it('when its turn does not come in time', async () => {
      const client = nonReadingClient('/silent', '/large');
      while (outcomes.length < 2) await sleep(5);
      expect(await outcomes[1]).toBeNull();
      expect(pool.underWay()).toBe(1);
      client.destroy();
      expect(await outcomes[0]).toBeNull();
    });
  });

  it('sends as many requests at once as it has connections, and the rest in order', async () => {
    const held: ServerResponse[] = [];
    service.answer = (response) => void held.push(response);
    const answers = Array.from({ length: 5 }, (_, at) => fetch(address(`/${at}`)));
    const seen = (): string[] => service.seen.map((request) => request.url);
    while (pool.underWay() < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(held.length).toBeLessThanOrEqual(2);
    for (let answered = 0; answered < 5; answered++) {
      while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(seen().length - answered).toBeLessThanOrEqual(2);
      held.shift()?.end();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(seen().sort()).toEqual(['/0', '/1', '/2', '/3', '/4']);
  });

  it('abandons requests that wait or have no response in time, and continues with the next', async () => {
    service.answer = () => undefined;
    answerTimeoutMs = 150;
    const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(address('/silent'))));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(599));
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow(UpstreamTimeoutError);
    await untilIdle();
    service.answer = ok;
    answerTimeoutMs = 10_000;
    expect((await fetch(address('/again'))).status).toBe(200);
  });

  it('releases the places of clients that disconnect while they wait', async () => {
    service.answer = () => undefined;
    const gone = Array.from({ length: 6 }, () => nonReadingClient('/silent'));
    while (pool.underWay() < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const client of gone) client.destroy();
    expect(await Promise.all(outcomes)).toEqual(Array(6).fill(null));
    await untilIdle();
  });

  it('retries only a read once after a broken connection', async () => {
    let cuts = 1;
    service.answer = (response) => (cuts-- > 0 ? response.destroy() : ok(response));
    expect((await fetch(address('/read'))).status).toBe(200);
    cuts = 1;
    expect((await fetch(address('/change'), { method: 'POST' })).status).toBe(599);
    expect(service.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });

  it('closes a connection that is unused for as long as a service drains, whatever the service allows', async () => {
    const server = new PatientServer();
    await pool.stop();
    pool = new UpstreamPool(await server.start(), limits);
    try {
      expect((await fetch(address('/'))).status).toBe(200);
      expect(await server.connections()).toBe(1);
      for (let waitedMs = 0; waitedMs < 8_000 && (await server.connections()) > 0; waitedMs += 50) await sleep(50);
      expect(await server.connections()).toBe(0);
    } finally {
      await server.stop();
    }
  }, 15_000);

  it('passes response headers on that are larger than the default of clients', async () => {
    const link = `<${'/x'.repeat(20_000)}>; rel="next"`;
    service.answer = (response) => void response.writeHead(200, { link }).end();
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(address('/'), { maxHeaderSize: 64 * 1024, agent: false }, resolve).on('error', reject),
    );
    answer.resume();
    expect([answer.statusCode, answer.headers.link]).toEqual([200, link]);
    expect(service.seen).toHaveLength(1);
  });

  it('forbids caching unless the service allows it', async () => {
    const said = async (): Promise<string | null> => (await fetch(address('/'))).headers.get('cache-control');
    expect(await said()).toBe('no-store');
    service.answer = (response) => void response.writeHead(200, { 'Cache-Control': 'private, max-age=5' }).end();
    expect(await said()).toBe('private, max-age=5');
  });
});
