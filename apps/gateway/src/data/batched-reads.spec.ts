import { IncomingMessage, Server, ServerResponse, createServer, get } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchedRead, decodeReads, encodeReadAnswer, readBatchPath, sendAlone } from '@podium/messages';
import { closeQueuedResponses, internalTokenHeader } from '@podium/runtime/http';
import { FakeUpstream } from '../../test/fake-upstream';
import { BatchedReads } from './batched-reads';
import { BatchEnd } from './read-batch';
import { UpstreamTimeoutError } from '../proxy/upstream-call';
import { UpstreamPool } from '../proxy/upstream-pool';

const token = 'the internal token of a gateway';
const traced = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** What a client got. */
interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

describe('BatchedReads', () => {
  const service = new FakeUpstream();
  let edge: Server;
  let reads: BatchedReads;
  let batches: number[];
  let failures: BatchEnd[];
  let large: number;
  /** By target. */
  let outcomes: Map<string, Promise<number | null>>;
  let ownHeaders: Record<string, string>;
  let answerTimeoutMs: number;
  let nowMs: number;
  /** How the service answers a batch. */
  let answerBatch: (batch: BatchedRead[], response: ServerResponse) => void;

  beforeAll(async () => {
    edge = createServer((request, response) => {
      const outcome = reads.pass(
        {
          method: request.method === 'HEAD' ? 'HEAD' : 'GET',
          target: request.url ?? '',
          headers: { [internalTokenHeader]: token, ...ownHeaders },
          answerHeaders: ['x-request-id', 'mine'],
          answerTimeoutMs,
          isClientKnown: true,
          isRepeatable: true,
        },
        response,
      );
      outcomes.set(request.url ?? '', outcome);
      outcome.catch(() => response.writeHead(599).end());
    });
    closeQueuedResponses(edge);
    await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
    service.answer = (response, request) => {
      if (request.url !== readBatchPath) return void response.writeHead(200).end(`alone ${request.url}`);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answerBatch(decodeReads(Buffer.concat(chunks)), response));
    };
  });
  beforeEach(async () => {
    const url = await service.start();
    service.seen.length = 0;
    [batches, failures, outcomes, ownHeaders, answerTimeoutMs] = [[], [], new Map(), {}, 10_000];
    [large, nowMs] = [0, 0];
    reads = new BatchedReads(url, new UpstreamPool(url, { connections: 8, maxUnderWay: 100 }), {
      maxUnderWay: 10,
      onBatch: (size) => batches.push(size),
      onLarge: () => (large += 1),
      onFailure: (end) => failures.push(end),
      nowMs: () => nowMs,
    });
    answerBatch = (batch, response) => {
      response.writeHead(200);
      batch.forEach((read, place) => response.write(frameOf(place, `together ${read.target}`)));
      response.end();
    };
  });
  afterEach(async () => {
    await reads.stop();
    await service.stop();
  });
  afterAll(() => {
    edge.closeAllConnections();
    edge.close();
  });

  /** Passes requests of clients on in one turn of the event loop, in this order. */
  function together(...targets: string[]): Promise<Got[]> {
    return asked(targets, (target) => ask(target));
  }

  async function asked(targets: readonly string[], send: (target: string) => Promise<Got>): Promise<Got[]> {
    const begun = new Map<string, () => void>();
    const { pass } = reads;
    reads.pass = (request, response) =>
      new Promise((resolve, reject) => {
        begun.set(request.target, () => void pass.call(reads, request, response).then(resolve, reject));
        if (begun.size === targets.length) for (const target of targets) begun.get(target)?.();
      });
    const got = targets.map((target) => send(target));
    for (const each of got) each.catch(() => undefined);
    while (begun.size < targets.length) await sleep(2);
    reads.pass = pass;
    return Promise.all(got);
  }

  function ask(target: string, method = 'GET', signal?: AbortSignal): Promise<Got> {
    return new Promise((resolve, reject) => {
      const { port } = edge.address() as AddressInfo;
      get({ port, path: target, method, signal, agent: false }, (response) => {
        let text = '';
        response.setEncoding('latin1');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', reject);
      }).on('error', reject);
    });
  }

  function frameOf(place: number, body: string, status = 200): Buffer {
    const headers = ['etag', `"${place}"`, 'content-length', String(body.length), 'connection', 'close'];
    return Buffer.concat([encodeReadAnswer({ place, status, headers }, body.length), Buffer.from(body)]);
  }

  const paths = (): string[] => service.seen.map(({ url }) => url);

  it('sends what comes together in one request, and each client gets its own response', async () => {
    answerBatch = (batch, response) => {
      response.writeHead(200);
      expect(batch.map(({ headers }) => headers)).toEqual(Array(3).fill({ [internalTokenHeader]: token, accept: 'a' }));
      for (const place of [2, 0, 1]) response.write(frameOf(place, `together ${batch[place].target}`));
      response.end();
    };
    ownHeaders = { accept: 'a' };
    const got = await together('/a', '/b', '/c');
    expect(got.map(({ text }) => text)).toEqual(['together /a', 'together /b', 'together /c']);
    for (const { status, headers } of got) {
      expect(status).toBe(200);
      expect(headers).toMatchObject({ etag: expect.any(String) as string, 'x-request-id': 'mine' });
      // The gateway's own, because the service gave none.
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(paths()).toEqual([readBatchPath]);
    expect(service.seen[0].headers[internalTokenHeader]).toBe(token);
    expect([batches, failures, await Promise.all(outcomes.values()), reads.underWay()]).toEqual([
      [3],
      [],
      [200, 200, 200],
      0,
    ]);
  });

  it('sends a single read, a traced one and HEAD alone', async () => {
    expect((await ask('/a')).text).toBe('alone /a');
    ownHeaders = { traceparent: traced };
    expect((await together('/b', '/c')).map(({ text }) => text)).toEqual(['alone /b', 'alone /c']);
    ownHeaders = {};
    await asked(['/d', '/e'], (target) => ask(target, 'HEAD'));
    expect(service.seen.slice(-2).map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
    expect(batches).toEqual([]);
  });

  it('answers each read as soon as the service has', async () => {
    let last: (() => void) | undefined;
    answerBatch = (_, response) => {
      response.writeHead(200);
      response.write(frameOf(1, 'quick'));
      last = () => response.end(frameOf(0, 'slow'));
    };
    const order: string[] = [];
    const all = together('/slow', '/quick');
    while (outcomes.size < 2) await sleep(2);
    void outcomes.get('/quick')?.then(() => {
      order.push('quick');
      last?.();
    });
    void outcomes.get('/slow')?.then(() => order.push('slow'));
    expect((await all).map(({ text }) => text)).toEqual(['slow', 'quick']);
    expect(order).toEqual(['quick', 'slow']);
  });

  it('sends alone what a batch leaves to be sent alone', async () => {
    answerBatch = (_, response) => {
      response.writeHead(200);
      response.write(encodeReadAnswer({ place: 0, status: sendAlone, headers: [] }, 0));
      response.end(frameOf(1, 'together'));
    };
    const texts = async (...targets: string[]): Promise<string[]> =>
      (await together(...targets)).map(({ text }) => text);
    expect(await texts('/large?offset=0', '/b')).toEqual(['alone /large?offset=0', 'together']);
    // Its path is remembered: the response would be made twice for each of its pages.
    expect(await texts('/large?offset=20', '/c')).toEqual(['alone /large?offset=20', 'alone /c']);
    expect([batches, failures, large]).toEqual([[2], [], 1]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['loses its connection', (response) => void setTimeout(() => response.destroy(), 20)],
    ['ends too early', (response) => void response.end()],
    ['sends something else', (response) => void response.end('{"error":{"code":"internal_error"}}')],
  ])('sends what has no answer alone when the service %s', async (_, end) => {
    answerBatch = (_reads, response) => {
      response.writeHead(200);
      response.write(frameOf(1, 'together'));
      end(response);
    };
    expect((await together('/a', '/b', '/c')).map(({ text }) => text)).toEqual(['alone /a', 'together', 'alone /c']);
    expect(failures).toMatchObject([{ unanswered: 2 }]);
    expect(reads.underWay()).toBe(0);
  });

  it('sends reads alone for a while when the service does not know batches', async () => {
    answerBatch = (_, response) => void response.writeHead(404).end();
    expect((await together('/a', '/b')).map(({ text }) => text)).toEqual(['alone /a', 'alone /b']);
    expect((await together('/c', '/d')).map(({ text }) => text)).toEqual(['alone /c', 'alone /d']);
    expect([batches, failures]).toEqual([[2], []]);
  });

  it.each([401, 503])('lets each read of a batch that is answered %d have its own answer', async (status) => {
    answerBatch = (_, response) => void response.writeHead(status).end();
    expect((await together('/a', '/b')).map(({ text }) => text)).toEqual(['alone /a', 'alone /b']);
    expect(failures).toMatchObject([{ status, unanswered: 2 }]);
  });

  it('gives up at the end of their time, and closes the connection', async () => {
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    answerBatch = (_, response) =>
      void response
        .writeHead(200)
        .on('close', () => isClosed?.())
        .flushHeaders();
    answerTimeoutMs = 1_000;
    expect((await together('/a', '/b')).map(({ status }) => status)).toEqual([599, 599]);
    await expect(outcomes.get('/a')).rejects.toThrow(UpstreamTimeoutError);
    await closed;
    expect(paths()).toEqual([readBatchPath]);
    while (reads.underWay() > 0) await sleep(2);
    expect(failures).toEqual([]);
  });

  it('closes the connection of a batch whose clients have all disconnected', async () => {
    const held: ServerResponse[] = [];
    answerBatch = (_, response) => void held.push(response.writeHead(200));
    const all = together('/a', '/b').catch((error: unknown) => error);
    while (held.length === 0) await sleep(2);
    held[0].flushHeaders();
    edge.closeAllConnections();
    expect(await all).toMatchObject({ code: 'ECONNRESET' });
    expect(await Promise.all(outcomes.values())).toEqual([null, null]);
    while (!held[0].destroyed) await sleep(2);
    while (reads.underWay() > 0) await sleep(2);
    expect([paths(), failures]).toEqual([[readBatchPath], []]);
  });

  it('keeps a batch of which one client has disconnected', async () => {
    const held: ServerResponse[] = [];
    answerBatch = (_, response) => void held.push(response.writeHead(200));
    const leaving = new AbortController();
    const all = asked(['/a', '/b'], (target) => ask(target, 'GET', target === '/a' ? leaving.signal : undefined)).catch(
      (error: unknown) => error,
    );
    while (held.length === 0) await sleep(2);
    leaving.abort();
    expect(await outcomes.get('/a')).toBeNull();
    expect(reads.underWay()).toBe(1);
    held[0].write(frameOf(0, 'nobody reads this'));
    held[0].end(frameOf(1, 'together'));
    expect(await outcomes.get('/b')).toBe(200);
    await all;
    expect([paths(), failures]).toEqual([[readBatchPath], []]);
  });

  it('fails only the read whose answer cannot be passed on', async () => {
    answerBatch = (_, response) => {
      response.writeHead(200);
      response.write(encodeReadAnswer({ place: 0, status: 200, headers: ['link', 'a\nb'] }, 0));
      response.end(frameOf(1, 'together'));
    };
    expect((await together('/a', '/b')).map(({ status }) => status)).toEqual([599, 200]);
    expect([failures, reads.underWay()]).toEqual([[], 0]);
  });

  it('uses its connections in turn, and each of them for a limited time', async () => {
    const ports = new Set<number>();
    const ask8 = async (): Promise<void> => {
      for (let turn = 0; turn < 8; turn++) await together('/a', '/b');
    };
    const { answer } = service;
    service.answer = (response, request) => {
      ports.add(request.socket.remotePort ?? 0);
      answer(response, request);
    };
    await ask8();
    expect(ports.size).toBe(8);
    await ask8();
    expect(ports.size).toBe(8);
    nowMs = 30_001;
    await ask8();
    expect(ports.size).toBe(16);
    service.answer = answer;
  });

  it('counts the reads of batches among those under way', async () => {
    const held: { response: ServerResponse; batch: BatchedRead[] }[] = [];
    answerBatch = (batch, response) => void held.push({ response: response.writeHead(200), batch });
    const all = together(...Array.from({ length: 10 }, (_, at) => `/${at}`));
    while (held.length === 0) await sleep(2);
    expect([reads.underWay(), reads.isFull()]).toEqual([10, true]);
    const [{ response, batch }] = held;
    batch.forEach((_, place) => response.write(frameOf(place, String(place))));
    response.end();
    await all;
    while (reads.underWay() > 0) await sleep(2);
    expect(reads.isFull()).toBe(false);
  });
});
