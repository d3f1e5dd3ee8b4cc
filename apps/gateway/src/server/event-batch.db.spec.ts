import { createKey, errorCatalogue, ErrorCode, recordKey } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeIngestion, accepted } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';

const path = '/cdp/v1/users/events/batch';

interface Result {
  status: number;
  retry_after?: number;
  body: { outcome?: string; event_id?: string; error?: { code: string; retry: string } };
}

describe('batches of partner events', () => {
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
    ingestion.answer = ({ body }) => ({
      ...accepted(),
      body: Buffer.from(`{"outcome":"accepted","event_id":${JSON.stringify(body.toString())}}`),
    });
    ingestion.whole = null;
    ingestion.batches.length = 0;
  });

  type Sending = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
  const send = (body: RequestInit['body'], init: Sending = {}, target = path): Promise<Response> =>
    fetch(gateway.url + target, {
      method: 'POST',
      body,
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    });
  const batchOf = (...events: string[]): string => `{"events":[${events.join(',')}]}`;
  const numbers = (count: number): string => batchOf(...Array.from({ length: count }, (_, n) => String(n)));
  const resultsOf = async (answer: Response): Promise<Result[]> =>
    ((await answer.json()) as { results: Result[] }).results;
  const failedEvents = async (): Promise<number> => {
    const metric = await gateway.registry.getSingleMetric('gateway_event_answers_total')?.get();
    return metric?.values.find(({ labels }) => labels.status_class === '5xx')?.value ?? NaN;
  };
  const sentBodies = (): string[] => ingestion.batches.flat().map(({ body }) => body.toString());

  it('passes the bytes of each event on unchanged, and responds 200 with the results in order', async () => {
    const events = ['{ "a": "é😀" }', '{"b":"]}"}', '{"c":[1,{"d":2}]}'];
    const answer = await send(` {"events": [ ${events.join(' , ')} ] } `, { headers: { 'x-request-id': 'mine' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('ratelimit-limit')).toBe('40, 40;w=1');
    // One more for each 25 ms until the rest is counted.
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^3[789]$/);
    expect(await resultsOf(answer)).toEqual(
      events.map((event) => ({ status: 200, body: { outcome: 'accepted', event_id: event } })),
    );
    expect(ingestion.batches).toHaveLength(1);
    expect(sentBodies()).toEqual(events);
    expect(ingestion.batches[0].map((event) => [event.platform, event.requestId])).toEqual(
      events.map(() => [platform, 'mine']),
    );
  });

  it('responds 207 as soon as one event is not handled, and gives it its status, error and Retry-After', async () => {
    const refusal = '{"error":{"code":"user_not_linked","message":"m","retry":"later"}}';
    ingestion.answer = ({ body }) =>
      body.includes('late') ? { status: 404, retryAfterS: 60, body: Buffer.from(refusal) } : accepted();
    const answer = await send(batchOf('{}', '"late"', '{}'));
    expect(answer.status).toBe(207);
    expect(await resultsOf(answer)).toMatchObject([
      { status: 200, body: { outcome: 'accepted' } },
      { status: 404, retry_after: 60, body: JSON.parse(refusal) as object },
      { status: 200, body: { outcome: 'accepted' } },
    ]);
    const metrics = await gateway.registry.metrics();
    expect(metrics).toContain(`gateway_events_total{platform="${platform}",outcome="accepted"} 2`);
    expect(metrics).toContain(`gateway_events_total{platform="${platform}",outcome="user_not_linked"} 1`);
    expect(metrics).toContain('gateway_requests_total{route="send-event-batch",status="207"}');
  });

  it('takes a token per event: those above the rate are refused one by one, the last ones, and reach nobody', async () => {
    expect((await send(numbers(30))).status).toBe(200);
    ingestion.batches.length = 0;
    const answer = await send(numbers(40));
    const results = await resultsOf(answer);
    const allowed = results.filter(({ status }) => status === 200).length;
    expect(answer.status).toBe(207);
    expect(allowed).toBeGreaterThanOrEqual(10);
    expect(allowed).toBeLessThan(40);
    expect(results.slice(0, allowed).every(({ status }) => status === 200)).toBe(true);
    for (const { status, retry_after, body } of results.slice(allowed))
      expect([status, retry_after, body.error?.code, body.error?.retry]).toEqual([429, 1, 'rate_limited', 'now']);
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    expect(sentBodies()).toEqual(Array.from({ length: allowed }, (_, n) => String(n)));
  });

  it('counts single events and batches of all keys of a platform against one rate, and no other platform’s', async () => {
    const second = gateway.newKey(platform);
    expect((await send(numbers(40))).status).toBe(200);
    const single = await send('{}', { headers: { authorization: `Bearer ${second}` } }, '/cdp/v1/users/events/send');
    expect([200, 429]).toContain(single.status);
    const results = await resultsOf(
      await send(numbers(40), { headers: { authorization: `Bearer ${gateway.newKey(freshName('p'))}` } }),
    );
    expect(results.every(({ status }) => status === 200)).toBe(true);
  });

  it('refuses a request above the rate before its body is read', async () => {
    const request = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"events":[{}]}`;
    const { text } = await rawExchange(gateway.port, request.repeat(120), { quietMs: 100, responses: 120 });
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(120);
    expect(text).toMatch(/HTTP\/1\.1 429 [^]*?retry-after: 1\r[^]*?"code":"rate_limited"/);
    expect(ingestion.batches.flat().length).toBe(text.match(/HTTP\/1\.1 200 /g)?.length);
  });

  it('takes as many events as the burst of the platform, and never more than 100', async () => {
    gateway.keys.setIntegration(recordKey(platform), { status: 'active', rate_per_second: 1_000 });
    const answer = await send(numbers(100));
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, '1000, 1000;w=1']);
    const over = (await (await send(numbers(101))).json()) as { error: { message: string } };
    expect(over.error.message).toBe('events holds more than 100 events; send them in several requests.');
    gateway.keys.setIntegration(recordKey(platform), { status: 'active', rate_per_second: 5 });
    expect((await send(numbers(6))).status).toBe(400);
  });

  it('gives an event over 64 KiB an answer of its own', async () => {
    const largest = `"${'x'.repeat(64 * 1024 - 2)}"`;
    const results = await resultsOf(await send(batchOf('{}', largest, `"y${largest.slice(1)}`)));
    expect(results.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [200, undefined],
      [200, undefined],
      [413, 'payload_too_large'],
    ]);
    expect(sentBodies()).toEqual(['{}', largest]);
  });

  it('takes 1 MiB, chunked or not, and answers pipelined requests in order', async () => {
    const events = Array.from({ length: 16 }, () => `"${'x'.repeat(65_000)}"`);
    const body = batchOf(...events).padEnd(1024 * 1024);
    expect(await resultsOf(await send(body))).toHaveLength(16);
    key = gateway.newKey(freshName('p'));
    expect(await resultsOf(await send(new Blob([body]).stream(), { duplex: 'half' } as Sending))).toHaveLength(16);
    expect(sentBodies()).toEqual([...events, ...events]);
    key = gateway.newKey(freshName('p'));
    const one = (text: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    const { text } = await rawExchange(gateway.port, one(batchOf('1', '2')) + one('{}') + one(batchOf('3')), {
      quietMs: 500,
      responses: 3,
    });
    expect(text.match(/HTTP\/1\.1 \d+|"event_id":"\d"|"code":"\w+"/g)).toEqual([
      'HTTP/1.1 200',
      '"event_id":"1"',
      '"event_id":"2"',
      'HTTP/1.1 400',
      '"code":"invalid_request"',
      'HTTP/1.1 200',
      '"event_id":"3"',
    ]);
  });

  it('answers 503 to each event whose outcome is unknown, counts each, and keeps no memory after any answer', async () => {
    ingestion.whole = (_request, response) => void response.destroy();
    const failedBefore = await failedEvents();
    const answer = await send(numbers(3));
    expect(answer.status).toBe(207);
    const results = await resultsOf(answer);
    expect((await failedEvents()) - failedBefore).toBe(3);
    expect(results.map(({ status, body }) => [status, body.error?.retry])).toEqual(Array(3).fill([503, 'now']));
    expect(gateway.batches.queued()).toBe(0);
  });

  it('bounds the memory of bodies per platform; another platform is served meanwhile', async () => {
    const head = (of: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${of}\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n`;
    const unfinished = Array.from({ length: 6 }, () =>
      rawExchange(gateway.port, head(key) + ' '.repeat(1_000_000), { timeoutMs: 2_500, quietMs: 10 }),
    );
    const other = gateway.newKey(freshName('p'));
    expect((await send(numbers(2), { headers: { authorization: `Bearer ${other}` } })).status).toBe(200);
    const statuses = (await Promise.all(unfinished)).map(({ status }) => status || 'open').sort();
    expect(statuses).toEqual([503, 503, 'open', 'open', 'open', 'open']);
    expect((await send(numbers(2))).status).toBe(200);
  }, 20_000);

  describe('refuses, in this order,', () => {
    const big = ' '.repeat(1024 * 1024 + 1);
    const cases: {
      name: string;
      body?: string;
      init?: () => Sending;
      target?: string;
      code: ErrorCode;
      message?: string;
    }[] = [
      {
        name: 'a path below',
        target: `${path}/x`,
        init: () => ({ headers: { authorization: '' } }),
        code: 'not_found',
      },
      {
        name: 'another method before the key',
        init: () => ({ method: 'PUT', headers: { authorization: '' } }),
        code: 'method_not_allowed',
      },
      {
        name: 'no key, before the media type and the size',
        body: big,
        init: () => ({ headers: { authorization: '', 'content-type': 'a/b' } }),
        code: 'unauthorized',
      },
      {
        name: 'an unknown key',
        init: () => ({ headers: { authorization: `Bearer ${createKey('test', 'ev').key}` } }),
        code: 'unauthorized',
      },
      {
        name: 'a data key',
        init: () => ({ headers: { authorization: `Bearer ${gateway.newDataKey().key}` } }),
        code: 'unauthorized',
      },
      {
        name: 'a key of the other environment',
        init: () => ({ headers: { authorization: `Bearer ${createKey('production', 'ev').key}` } }),
        code: 'environment_mismatch',
      },
      {
        name: 'another media type before the size',
        body: big,
        init: () => ({ headers: { 'content-type': 'text/plain' } }),
        code: 'unsupported_media_type',
      },
      {
        name: 'a content coding',
        init: () => ({ headers: { 'content-encoding': 'gzip' } }),
        code: 'unsupported_media_type',
      },
      { name: 'a body over 1 MiB', body: big, code: 'payload_too_large', message: 'The body is larger than 1024 KiB.' },
      { name: 'no JSON', body: 'x', code: 'invalid_request', message: 'The body is not a JSON object.' },
      { name: 'a single event', body: '{"event":{}}', code: 'invalid_request', message: 'events is missing.' },
      { name: 'no events', body: '{"events":[]}', code: 'invalid_request', message: 'events is empty.' },
      {
        name: 'more events than the burst',
        body: `{"events":[${'{},'.repeat(40)}{}]}`,
        code: 'invalid_request',
        message: 'events holds more than 40 events; send them in several requests.',
      },
    ];
    it.each(cases)('$name', async ({ body = '{"events":[{}]}', init, target, code, message }) => {
      const answer = await send(body, init?.(), target);
      const { status, retry, publicSentence } = errorCatalogue[code];
      expect([answer.status, await answer.json()]).toEqual([
        status,
        { error: { code, message: message ?? publicSentence, retry } },
      ]);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      expect(ingestion.batches).toEqual([]);
    });

    it('any key while the view of keys is out of date, which counts as a failed event of no platform', async () => {
      const failedBefore = await failedEvents();
      gateway.viewAgeMs = 60_001;
      const answer = await send(numbers(3));
      gateway.viewAgeMs = 0;
      expect(answer.status).toBe(503);
      expect((await failedEvents()) - failedBefore).toBe(1);
    });

    it('a paused integration', async () => {
      gateway.keys.setIntegration(recordKey(platform), { status: 'paused' });
      const answer = await send(numbers(2));
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([403, '300']);
    });
  });
});
