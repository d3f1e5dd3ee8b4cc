import { IncomingMessage, ServerResponse, createServer, get } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReadAnswers, maxBatchedBodyBytes, maxBatchedHeadBytes, sendAlone } from '@podium/messages';
import { BatchAnswers } from './batch-answers';
import type { ReadResponse } from './read-response';

function responseWith(byteLength: number, status = 200): ReadResponse {
  return { status, headers: { etag: '"a"' }, body: { pieces: [Buffer.alloc(byteLength, 'x')], byteLength } };
}

describe('BatchAnswers', () => {
  let serve: (response: ServerResponse) => void;
  const server = createServer((_, response) => serve(response));

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function open(): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => get({ port, agent: false }, resolve).on('error', reject));
  }

  /** Places, statuses and lengths of the bodies of all answers. */
  async function readAll(response: IncomingMessage): Promise<[number, number, number][]> {
    const read: [number, number, number][] = [];
    const answers = new ReadAnswers(({ place, status }, body) => read.push([place, status, body.length]));
    for await (const chunk of response) answers.add(chunk as Buffer);
    return read;
  }

  it('writes each answer when it is done, and ends after the last', async () => {
    let answers: BatchAnswers | undefined;
    serve = (response) => (answers = new BatchAnswers(response, 3));
    const opened = open();
    while (answers === undefined) await sleep(2);
    answers.add(1, responseWith(5));
    const response = await opened;
    const [first] = (await once(response)) as [Buffer];
    const read: number[] = [];
    const reader = new ReadAnswers(({ place }) => read.push(place));
    reader.add(first);
    expect(read).toEqual([1]);
    answers.add(2, { status: 304, headers: {}, body: undefined });
    answers.add(0, responseWith(6, 404));
    expect(await readAll(response)).toEqual([
      [2, 304, 0],
      [0, 404, 6],
    ]);
  });

  it('says of a body or headers that are too large for a batch that their read is to be sent alone', async () => {
    serve = (response) => {
      const answers = new BatchAnswers(response, 3);
      answers.add(0, responseWith(maxBatchedBodyBytes));
      answers.add(1, responseWith(maxBatchedBodyBytes + 1));
      answers.add(2, { status: 200, headers: { link: 'x'.repeat(maxBatchedHeadBytes) }, body: undefined });
    };
    expect(await readAll(await open())).toEqual([
      [0, 200, maxBatchedBodyBytes],
      [1, sendAlone, 0],
      [2, sendAlone, 0],
    ]);
  });

  it('holds a bounded number of bytes for a gateway that does not read', async () => {
    let held = 0;
    const reads = 1_000;
    let answers: BatchAnswers | undefined;
    serve = (response) => {
      answers = new BatchAnswers(response, reads);
      const add = (place: number): void => {
        answers?.add(place, responseWith(maxBatchedBodyBytes));
        held = Math.max(held, response.writableLength);
        if (place + 1 < reads) setImmediate(() => add(place + 1));
      };
      add(0);
    };
    const opened = open();
    while (held < 1024 * 1024) await sleep(2);
    await sleep(200);
    const statuses = (await readAll(await opened)).map(([, status]) => status);
    expect(statuses).toHaveLength(reads);
    expect(statuses).toContain(sendAlone);
    expect(held).toBeLessThan(2 * 1024 * 1024);
  });

  it('bounds what is made in one turn, too', async () => {
    serve = (response) => {
      const answers = new BatchAnswers(response, 32);
      for (let place = 0; place < 32; place++) answers.add(place, responseWith(maxBatchedBodyBytes));
    };
    const statuses = (await readAll(await open())).map(([, status]) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === sendAlone)).toHaveLength(24);
  });

  it('ends an empty batch at once, and writes nothing to a gateway that is gone', async () => {
    serve = (response) => void new BatchAnswers(response, 0);
    expect(await readAll(await open())).toEqual([]);
    let answers: BatchAnswers | undefined;
    let served: ServerResponse | undefined;
    serve = (response) => {
      served = response;
      answers = new BatchAnswers(response, 2);
      answers.add(0, responseWith(1));
    };
    (await open()).destroy();
    while (!served?.destroyed) await sleep(2);
    answers?.add(1, responseWith(1));
    await sleep(20);
    expect(served.writableEnded).toBe(false);
  });
});

function once(response: IncomingMessage): Promise<unknown[]> {
  return new Promise((resolve) => response.once('data', (...args: unknown[]) => (response.pause(), resolve(args))));
}
