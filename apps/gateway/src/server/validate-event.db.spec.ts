import { ErrorCode, createKey, errorCatalogue } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeIngestion } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { rawExchange } from '../../test/raw-exchange';

const path = '/cdp/v1/users/events/validate';
const report = '{"valid":true,"duplicate":false,"problems":[],"dropped_attributes":[]}';

describe('validation of partner events', () => {
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
    ingestion.whole = null;
    ingestion.notProduced = true;
    ingestion.batches.length = ingestion.paths.length = 0;
    ingestion.answer = () => ({ status: 200, retryAfterS: 0, body: Buffer.from(report) });
  });

  const send = (body: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      body,
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    });

  it('passes the body on to be checked only, charges the rate and counts no event', async () => {
    const answer = await send('{"a":1}');
    expect([answer.status, await answer.text()]).toEqual([200, report]);
    expect(answer.headers.get('ratelimit-remaining')).toBe('39');
    expect(ingestion.paths).toEqual(['/internal/v1/events/validate']);
    expect(ingestion.batches[0]).toMatchObject([{ platform, body: Buffer.from('{"a":1}') }]);
    const metrics = await gateway.registry.metrics();
    expect(metrics).not.toContain(platform);
    expect(metrics).toContain('gateway_requests_total{route="validate-event",status="200"} 1');
  });

  it('answers 503 when ingestion cannot check, or breaks off', async () => {
    ingestion.answer = () => ({ status: 503, retryAfterS: 2, body: Buffer.from('{"error":{"code":"unavailable"}}') });
    const answer = await send('{}');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    ingestion.whole = (_request, response) => void response.destroy();
    expect((await send('{}')).status).toBe(503);
  });

  it('bounds the validations of a platform that are under way', async () => {
    ingestion.whole = () => undefined;
    const held = Array.from({ length: 12 }, () => send('{}'));
    const statuses: number[] = [];
    for (const each of held) void each.then(({ status }) => statuses.push(status));
    while (statuses.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(statuses).toEqual([503, 503, 503, 503]);
    await Promise.all(held);
  }, 20_000);

  it.each<[string, () => Promise<Response>, ErrorCode]>([
    ['another method', () => send('', {}, { method: 'PUT' }), 'method_not_allowed'],
    ['no key', () => send('{}', { authorization: '' }), 'unauthorized'],
    ['an unknown key', () => send('{}', { authorization: `Bearer ${createKey('test', 'ev').key}` }), 'unauthorized'],
    [
      'a key of the other environment',
      () => send('{}', { authorization: `Bearer ${createKey('production', 'ev').key}` }),
      'environment_mismatch',
    ],
    ['another media type', () => send('{}', { 'content-type': 'text/plain' }), 'unsupported_media_type'],
    ['a body over 64 KiB', () => send(' '.repeat(65_537)), 'payload_too_large'],
  ])('refuses %s', async (_name, sending, code) => {
    const answer = await sending();
    const { error } = (await answer.json()) as { error: { code: string; retry: string } };
    const { status, retry } = errorCatalogue[code];
    expect([answer.status, error.code, error.retry]).toEqual([status, code, retry]);
    // A validation that another test gave up may still arrive.
    expect(ingestion.batches.flat().filter((event) => event.platform === platform)).toEqual([]);
  });

  it('refuses above the rate, which it shares with events', async () => {
    // Sent at once, so that a slow machine does not change the result.
    const request = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: a/b\r\nContent-Length: 0\r\n\r\n`;
    const { text } = await rawExchange(gateway.port, request.repeat(120), { quietMs: 100, responses: 120 });
    expect(new Set(text.match(/HTTP\/1\.1 \d+/g))).toEqual(new Set(['HTTP/1.1 415', 'HTTP/1.1 429']));
  });
});
