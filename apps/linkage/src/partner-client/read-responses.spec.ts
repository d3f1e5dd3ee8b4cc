import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readRevocationResponse, readTokenResponse } from '@podium/partner-check/protocol/partner-answers';
import { PartnerHttp } from './partner-http';

describe('a response of a partner', () => {
  let server: Server;
  let http: PartnerHttp;
  let answer: {
    readonly status: number;
    readonly headers: Record<string, string | string[]>;
    readonly body: string | Buffer;
  };

  beforeAll(async () => {
    server = createServer((_request, response) => response.writeHead(answer.status, answer.headers).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    http = new PartnerHttp(new Set(['127.0.0.1:*']));
  });

  afterAll(async () => {
    await http.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = () =>
    http.send({
      ...{ platform: 'p', method: 'POST', headers: {}, body: 'a=b', timeoutMs: 5000 },
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth2/token`,
    });

  it.each(['Identity', '', 'UTF-8', 'none'])('is read although it has "%s" as Content-Encoding', async (encoding) => {
    answer = { status: 200, headers: { 'content-encoding': encoding }, body: '{"access_token":"at"}' };
    const received = await send();
    if (!received.ok) throw new Error(received.reason);
    expect(readTokenResponse(received.value)).toMatchObject({ ok: true, value: { accessToken: 'at' } });
  });

  it.each(['gzip', 'X-GZIP', 'identity, gzip', 'br', 'zstd', 'deflate', ['identity', 'gzip']])(
    'is refused as compressed when it has "%s" as Content-Encoding',
    async (encoding) => {
      answer = { status: 200, headers: { 'content-encoding': encoding }, body: '{"access_token":"at"}' };
      expect(await send()).toMatchObject({ kind: 'malformed', fault: 'compressed' });
    },
  );

  const page = `<html>${'x'.repeat(100_000)}</html>`;
  it.each([
    [503, 'larger than 64 KB', {}, page],
    [502, 'larger than 64 KB', {}, page],
    [429, 'larger than 64 KB', {}, page],
    [503, 'compressed', { 'content-encoding': 'gzip' }, gzipSync(page)],
  ])('with status %i is that of a partner that is busy or broken, also when its page is %s', async (...cases) => {
    const [status, , headers, body] = cases;
    answer = { status, headers: { ...headers, 'retry-after': '120' }, body };
    const received = await send();
    if (!received.ok) throw new Error(received.reason);
    expect(readTokenResponse(received.value)).toMatchObject({
      ...{ kind: 'unavailable', status, retryAfterS: 120, outcomeUnknown: status >= 500 },
    });
    expect(received.value.body.length).toBeLessThanOrEqual(65_536);
  });

  it('with another status is refused when its page is larger than 64 KB', async () => {
    for (const status of [200, 400]) {
      answer = { status, headers: {}, body: page };
      expect(await send()).toMatchObject({ kind: 'malformed', fault: 'size', status });
    }
  });

  it.each([
    [200, '', { ok: true }],
    [202, '', { ok: true }],
    [204, '', { ok: true }],
    [302, '', { ok: false, kind: 'malformed' }],
    [400, '{"error":"unsupported_token_type"}', { ok: false, kind: 'rejected', partnerCode: 'unsupported_token_type' }],
    [503, '', { ok: false, kind: 'unavailable' }],
  ])('with status %i to a revocation means what it should', async (status, body, expected) => {
    answer = { status, headers: {}, body };
    const received = await send();
    if (!received.ok) throw new Error(received.reason);
    expect(readRevocationResponse(received.value)).toMatchObject(expected);
  });
});
