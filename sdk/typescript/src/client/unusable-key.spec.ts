import * as net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { DocumentedServer } from '../../test/documented-server';
import { partnerEvent } from '../../test/events';
import { temporaryFolders } from '../../test/temporary-folder';
import { EdgeQuestions } from '../api/edge-questions';
import { addressesOf } from '../api/address';
import { Notice, PodiumClient, PodiumClientOptions } from '../index';
import { systemClock } from '../pacing/clock';

const apiKey = 'podium_test_ev_canary';
const folderOf = temporaryFolders();

const unusable = [
  ['a line break', `${apiKey}\nx`],
  ['characters beyond ASCII', `${apiKey}…`],
  ['nothing in it', ''],
  ['no text', undefined],
] as const;

describe('a key that cannot be used', () => {
  let server: DocumentedServer;
  let url: string;
  let notices: Notice[];
  const clients: PodiumClient[] = [];

  beforeEach(async () => {
    server = new DocumentedServer();
    url = await server.listen();
    notices = [];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close({ deadlineMs: 0 });
    await server.close();
  });

  async function open(options: Partial<PodiumClientOptions>): Promise<PodiumClient> {
    const onNotice = (notice: Notice): void => void notices.push(notice);
    const client = await PodiumClient.open({ url, apiKey, platform: 'acme', onNotice, ...options });
    clients.push(client);
    return client;
  }

  async function until(condition: () => boolean): Promise<void> {
    for (const endMs = Date.now() + 5_000; !condition(); await sleep(5))
      if (Date.now() > endMs) throw new Error(`not in time: ${inspect(notices)}`);
  }

  function ask(key: () => string): Promise<unknown> {
    const options = { addresses: addressesOf(url), apiKey: key, userAgent: 'test', clock: systemClock };
    return new EdgeQuestions(options, 40).ask(options.addresses.contract, undefined, (body) => body);
  }

  it.each(unusable)('pauses the queue at once when it has %s, and is in no error', async (_, key) => {
    const client = await open({ apiKey: () => key as string, queue: { folder: folderOf() } });
    const error = await rejection(client.send(partnerEvent('e')));
    expect(error).toMatchObject({ name: 'SendingPausedError', code: 'key_unusable', retry: 'pause' });
    await client.enqueue(partnerEvent('f'));
    await until(() => client.stats().pausedBy?.code === 'key_unusable');
    expect(notices.map(({ type }) => type)).toEqual(['paused']);
    expect(inspect([error, notices], { depth: 10 })).not.toContain('canary');
    expect(server.requests).toEqual([]);
  });

  it('gives way to one that can', async () => {
    let key = `${apiKey}\nx`;
    const client = await open({ apiKey: () => key, queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    await until(() => client.stats().pausedBy !== undefined);
    key = apiKey;
    client.resume();
    await until(() => server.accepted.has('e'));
  });

  it.each(unusable)('ends a question before its request when it has %s', async (_, key) => {
    const error = await rejection(ask(() => key as string));
    expect(error).toMatchObject({ name: 'SendingPausedError', code: 'key_unusable' });
    expect(inspect(error)).not.toContain('canary');
    expect(server.requests).toEqual([]);
  });

  it('is in no error when the function that reads it throws, and the event is tried again', async () => {
    const failing = (): string => {
      throw new RangeError(apiKey);
    };
    for (const error of [
      await rejection((await open({ apiKey: failing })).send(partnerEvent('e'))),
      await rejection(ask(failing)),
    ]) {
      expect(error).toMatchObject({ name: 'NoAnswerError', code: 'no_response', retry: 'now' });
      expect((error as Error).message).toContain('RangeError');
      expect(inspect(error)).not.toContain('canary');
    }
  });

  it('is in no error when a server returns the request as its answer', async () => {
    const echo = net.createServer((socket) => socket.once('data', (request) => socket.end(request)));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    echo.unref();
    url = `http://127.0.0.1:${(echo.address() as net.AddressInfo).port}`;
    for (const error of [
      await rejection((await open({})).send(partnerEvent('e'))),
      await rejection(ask(() => apiKey)),
    ]) {
      expect(error).toMatchObject({ code: 'no_response', message: expect.stringContaining('HPE_') as string });
      // The parser's error has the bytes that it read.
      expect((error as Error).cause).not.toHaveProperty('rawPacket');
    }
    echo.close();
  });
});

/** The error of a promise that must reject. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
