import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentedServer } from '../../test/documented-server';
import { partnerEvent } from '../../test/events';
import { temporaryFolders } from '../../test/temporary-folder';
import { Notice, PartnerEvent, PodiumClient, PodiumClientOptions, PodiumError, sdkVersion } from '../index';

const apiKey = 'podium_test_ev_secret';
const folderOf = temporaryFolders();

describe('PodiumClient against a plain HTTP server with the documented answers', () => {
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

  async function open(options: Partial<PodiumClientOptions> = {}): Promise<PodiumClient> {
    const client = await PodiumClient.open({
      url,
      apiKey,
      platform: 'acme',
      onNotice: (notice) => notices.push(notice),
      ...options,
    });
    clients.push(client);
    return client;
  }

  async function until(condition: () => boolean): Promise<void> {
    for (const endMs = Date.now() + 5_000; !condition(); await sleep(5))
      if (Date.now() > endMs)
        throw new Error(`not in time: ${JSON.stringify([notices.slice(-5), server.requests.slice(-3)])}`);
  }

  it('sends an event, and says that it was a duplicate the second time', async () => {
    const client = await open({ url: `${url}/cdp/v1/users/events/send` });
    expect(await client.send(partnerEvent('e'))).toMatchObject({ outcome: 'accepted', eventId: 'e' });
    expect(await client.send(partnerEvent('e'))).toMatchObject({ outcome: 'duplicate' });
    expect(server.requests[0]).toMatchObject({
      path: '/cdp/v1/users/events/send',
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': `podium-partner-typescript/${sdkVersion}` },
    });
  });

  it.each([
    ['invalid_request', 'RefusedError', 400, 'never', undefined],
    ['unauthorized', 'SendingPausedError', 401, 'pause', undefined],
    ['user_not_linked', 'RetryLaterError', 404, 'later', 60_000],
    ['event_not_negotiated', 'RetryLaterError', 422, 'later', 3_600_000],
    ['rate_limited', 'RateLimitedError', 429, 'now', 1_000],
    ['unavailable', 'TemporaryError', 503, 'now', 2_000],
  ] as const)('rejects %s with %s, which has all that one needs', async (code, name, status, retry, retryAfterMs) => {
    server.behaviour = { refuse: () => code };
    const error = await (await open()).send(partnerEvent('e')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PodiumError);
    const docsUrl = `${url}/docs/errors#${code}`;
    expect(error).toMatchObject({
      name,
      code,
      status,
      retry,
      retryAfterMs,
      docsUrl,
      requestId: 'request-1',
      eventId: 'e',
    });
  });

  it.each([
    ['a page with status 200', { status: 200, body: '<h1>Log in to the hotel</h1>' }, 'now'],
    ['another event', { status: 200, body: '{"outcome":"accepted","event_id":"x"}' }, 'now'],
    ['a redirect', { status: 302, body: '', headers: { location: 'https://elsewhere.example' } }, 'pause'],
    ['an error of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }, 'now'],
    ['an error of a gateway', { status: 400, body: '{"error":{"code":"BadRequest","message":"x"}}' }, 'now'],
    ['a code that is no text', { status: 400, body: '{"error":{"code":"\\ud800"}}' }, 'now'],
  ])('takes %s for no acceptance', async (_, foreign, retry) => {
    server.behaviour = { foreign };
    await expect((await open()).send(partnerEvent('e'))).rejects.toMatchObject({ code: 'unexpected_response', retry });
  });

  it('ends a request that is not answered in time', async () => {
    server.behaviour = { hangs: true };
    const sending = (await open({ timeoutMs: 100 })).send(partnerEvent('e'));
    await expect(sending).rejects.toMatchObject({ name: 'NoAnswerError', code: 'no_response', retryable: true });
  });

  it('sends a batch in one request, with a result for each event', async () => {
    server.behaviour = { refuse: ({ platform_user_id: user }) => (user === 'late' ? 'user_not_linked' : undefined) };
    const results = await (await open()).sendBatch([partnerEvent('a'), partnerEvent('b', 'late'), partnerEvent('c')]);
    expect(results.map((result) => (result.ok ? result.outcome : result.error.code))).toEqual([
      'accepted',
      'user_not_linked',
      'accepted',
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/cdp/v1/users/events/batch']);
  });

  it('sends each event alone where there is no batch request, or it is refused as a whole', async () => {
    for (const behaviour of [{ hasBatch: false }, { refuse: () => undefined }]) {
      server.behaviour = behaviour;
      const client = await open();
      const results = await client.sendBatch([partnerEvent('a'), partnerEvent('b')]);
      expect(results.every(({ ok }) => ok)).toBe(true);
      await client.sendBatch([partnerEvent('c'), partnerEvent('d')]);
    }
    const paths = server.requests.map(({ path }) => path.split('/').at(-1));
    // One client asks for it once; the other has it.
    expect(paths).toEqual(['batch', 'send', 'send', 'send', 'send', 'batch', 'batch']);
  });

  it('refuses what it cannot send, before any request', async () => {
    const client = await open({ maxBatch: 2 });
    const large = { ...partnerEvent('e'), attributes: { note: 'x'.repeat(70_000) } };
    await expect(client.send(large)).rejects.toMatchObject({ code: 'event_too_large', retry: 'never' });
    await expect(client.send({ ...partnerEvent('e'), createdAt: new Date(NaN) })).rejects.toMatchObject({
      code: 'event_not_encodable',
    });
    await expect(client.sendBatch(['a', 'b', 'c'].map((id) => partnerEvent(id)))).rejects.toMatchObject({
      code: 'batch_too_large',
    });
    await expect(client.enqueue(partnerEvent('e'))).rejects.toMatchObject({ code: 'queue_missing' });
    expect(server.requests).toEqual([]);
  });

  it('gives an event that cannot be sent its result, and sends the others of the batch', async () => {
    const events = [
      { ...partnerEvent('large'), attributes: { note: 'x'.repeat(70_000) } },
      partnerEvent('a'),
      { ...partnerEvent('undated'), createdAt: new Date(NaN) },
      partnerEvent('b'),
    ];
    const results = await (await open()).sendBatch(events);
    expect(results.map((result) => [result.eventId, result.ok || result.error.code])).toEqual([
      ['large', 'event_too_large'],
      ['a', true],
      ['undated', 'event_not_encodable'],
      ['b', true],
    ]);
    expect(server.requests.map((request) => request.events)).toEqual([['a', 'b']]);
  });

  it('refuses what has no JSON form, which callers without types may give', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const untyped = [{ id: 1n }, { platformUserId: 1n }, { attributes: { amount: 25n } }, { attributes: cyclic }].map(
      (fields) => ({ ...partnerEvent('bad'), ...fields }) as unknown as PartnerEvent,
    );
    const client = await open({ queue: { folder: folderOf() } });
    const expected = { code: 'event_not_encodable', retry: 'never' };
    for (const event of untyped) {
      await expect(client.enqueue(event)).rejects.toMatchObject(expected);
      const results = await client.sendBatch([event, partnerEvent('good')]);
      expect(results).toMatchObject([{ ok: false, error: expected }, { ok: true }]);
    }
  });

  it.each(['http://podium.example', 'ftp://podium.example', 'podium'])('does not send a key to %s', async (address) => {
    await expect(open({ url: address })).rejects.toThrow(/^url .*https:/);
  });

  it.each(['https://user:secret@podium.example', 'http://:secret@127.0.0.1:1', 'https://user@podium.example/cdp'])(
    'does not leave out the user and password of %s: no request would have them',
    async (address) => {
      await expect(open({ url: address })).rejects.toThrow(/^url must not contain a user name or password: [^/@]*$/);
    },
  );

  it('sends what was handed over, in batches', async () => {
    const client = await open({ queue: { folder: folderOf() } });
    await Promise.all(Array.from({ length: 100 }, (_, n) => client.enqueue(partnerEvent(`e${n}`))));
    await until(() => server.accepted.size === 100);
    expect(server.requests.length).toBeLessThan(20);
    expect(await client.close()).toBe(true);
    expect(client.stats()).toMatchObject({ queueBytes: 0, inHand: 0, setAside: 0 });
  });

  it('sends no batch that is too large for the rate of answers', async () => {
    server.behaviour = { rate: 20 };
    const client = await open({ queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('first'));
    await until(() => notices.some(({ type }) => type === 'accepted'));
    await Promise.all(Array.from({ length: 30 }, (_, n) => client.enqueue(partnerEvent(`e${n}`))));
    await until(() => server.accepted.size === 31);
    const sizes = server.requests.map(({ events }) => events.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(31);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  });

  it('sends after a restart what a client before could not', async () => {
    const folder = folderOf();
    server.behaviour = { refuseAll: 'unavailable' };
    const first = await open({ queue: { folder } });
    await first.enqueue(partnerEvent('e'));
    await until(() => notices.some(({ type }) => type === 'retried'));
    expect(await first.close({ deadlineMs: 20 })).toBe(false);
    server.behaviour = {};
    await open({ queue: { folder } });
    await until(() => server.accepted.has('e'));
    expect(notices.map(({ type }) => type)).toContain('claimed');
  });

  it('stays with its folder when the process changes its working directory', async () => {
    const before = process.cwd();
    const parent = folderOf();
    try {
      process.chdir(parent);
      const client = await open({ queue: { folder: 'queue' } });
      process.chdir('/');
      await client.enqueue(partnerEvent('e'));
      await until(() => server.accepted.has('e'));
      expect(await client.close()).toBe(true);
    } finally {
      process.chdir(before);
    }
    expect(fs.readdirSync(path.join(parent, 'queue'))).toEqual([]);
  });

  it('sends to a server that was away', async () => {
    const port = Number(new URL(url).port);
    await server.close();
    const client = await open({ queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    await until(() => notices.some(({ type }) => type === 'retried'));
    server = new DocumentedServer();
    await server.listen(port);
    await until(() => server.accepted.has('e'));
  });

  it('writes a refused event to the dead-letter file, without the key', async () => {
    const folder = folderOf();
    server.behaviour = { refuse: ({ event }) => (event.id === 'bad' ? 'invalid_request' : undefined) };
    const client = await open({ queue: { folder } });
    await client.enqueue(partnerEvent('bad'));
    await client.enqueue(partnerEvent('good'));
    await until(() => notices.length >= 2 && server.accepted.has('good'));
    expect(await client.close()).toBe(true);
    const text = fs.readFileSync(path.join(folder, 'dead-letters.ndjson'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      code: 'invalid_request',
      status: 400,
      request_id: expect.stringMatching(/^request-/) as string,
      event: { platform: 'acme', event: { id: 'bad' } },
    });
    expect(text + JSON.stringify(notices)).not.toContain('secret');
  });

  it('reads the key for each request, so that a paused client goes on with a new one', async () => {
    let key = 'revoked';
    server.behaviour = { refuseAll: 'unauthorized' };
    const client = await open({ apiKey: () => key, queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    await until(() => client.stats().pausedBy?.code === 'unauthorized');
    server.behaviour = {};
    key = 'new';
    client.resume();
    await until(() => server.accepted.has('e'));
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer new');
  });

  it('closes in time when a request hangs, and takes nothing more', async () => {
    server.behaviour = { hangs: true };
    const client = await open({ queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    await until(() => server.requests.length > 0);
    const startedMs = Date.now();
    expect(await client.close({ deadlineMs: 100 })).toBe(false);
    expect(Date.now() - startedMs).toBeLessThan(2_000);
    await expect(client.enqueue(partnerEvent('f'))).rejects.toMatchObject({ code: 'client_closed' });
  });

  it('closes without a limit of time', async () => {
    server.behaviour = { refuseAll: 'internal_error' };
    const client = await open({ queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    await until(() => notices.some(({ type }) => type === 'retried'));
    server.behaviour = {};
    expect(await client.close({ deadlineMs: Infinity })).toBe(true);
    expect([...server.accepted]).toEqual(['e']);
  });

  it('tells every caller of close that something is left', async () => {
    server.behaviour = { refuseAll: 'unavailable' };
    const client = await open({ queue: { folder: folderOf() } });
    await client.enqueue(partnerEvent('e'));
    expect(await Promise.all([client.close({ deadlineMs: 50 }), client.close()])).toEqual([false, false]);
    expect(await client.close()).toBe(false);
  });

  it('hands warnings to the caller of send, and to the listener of notices', async () => {
    const warning = { code: 'value_not_parsed', field: 'event.attributes[0].value', message: 'does not parse' };
    server.behaviour = { warnings: [{ ...warning, later: 1 }, 'odd'] };
    const expected = [warning, { code: '', field: '', message: '' }];
    const client = await open({ queue: { folder: folderOf() } });
    expect(await client.send(partnerEvent('e'))).toMatchObject({ outcome: 'accepted', warnings: expected });
    await client.enqueue(partnerEvent('f'));
    await until(() => notices.some(({ type }) => type === 'accepted'));
    expect(notices).toContainEqual(expect.objectContaining({ type: 'accepted', level: 'warn', warnings: expected }));
  });

  const failing = [
    [
      'throws',
      (): void => {
        throw new Error('of the listener');
      },
    ],
    ['is async and rejects', (): Promise<void> => Promise.reject(new Error('of the listener'))],
  ] as const;
  it.each(failing)('goes on when the listener %s', async (_, onNotice) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const client = await open({ queue: { folder: folderOf() }, onNotice });
    await client.enqueue(partnerEvent('e'));
    await client.enqueue(partnerEvent('f'));
    await until(() => server.accepted.size === 2 && warned.mock.calls.length >= 2);
    expect(warned.mock.calls[0]).toEqual([expect.stringContaining('of the listener'), 'PodiumListenerWarning']);
    warned.mockRestore();
  });
});
