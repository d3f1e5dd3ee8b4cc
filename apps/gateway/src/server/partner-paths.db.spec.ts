import { ErrorCode, EventScope, createKey, errorCatalogue, platformHeader, recordKey } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeUpstream } from '../../test/fake-upstream';
import { FakeIngestion } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';
import { routes } from '../routes/route-table';

interface PartnerPath {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly scope: EventScope;
  /** Largest body, bytes; undefined for a path without one. */
  readonly maxBodyBytes?: number;
}

const kib = 1024;
/** Every path of the partner edge. */
const paths: readonly PartnerPath[] = [
  { path: '/cdp/v1/users/events/send', method: 'POST', scope: 'events:send', maxBodyBytes: 64 * kib },
  { path: '/cdp/v1/users/events/batch', method: 'POST', scope: 'events:send', maxBodyBytes: 1024 * kib },
  { path: '/cdp/v1/users/events/validate', method: 'POST', scope: 'events:send', maxBodyBytes: 64 * kib },
  { path: '/cdp/v1/users/events/reconcile', method: 'POST', scope: 'events:read', maxBodyBytes: 3 * 1024 * kib },
  { path: '/cdp/v1/users/events/status', method: 'GET', scope: 'events:read' },
  { path: '/cdp/v1/contract', method: 'GET', scope: 'events:read' },
  { path: '/cdp/v1/refusals', method: 'GET', scope: 'events:read' },
  { path: '/cdp/v1/drift', method: 'GET', scope: 'events:read' },
];

/** What is wrong with a request. */
interface Wrong {
  readonly target?: string;
  readonly method?: string;
  readonly authorization?: string;
  readonly isPaused?: boolean;
  readonly rate?: 'over';
  readonly headers?: Readonly<Record<string, string>>;
  readonly isTooLarge?: boolean;
}

interface Condition {
  readonly name: string;
  readonly code: ErrorCode;
  readonly wrong: (at: PartnerPath, platform: string) => Wrong;
  readonly needsBody?: true;
}

describe('every path of the partner edge', () => {
  const [ingestion, upstream] = [new FakeIngestion(), new FakeUpstream()];
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    const ingestionUrls = [await ingestion.start()];
    gateway = await startGateway({
      redisUrl: localStack().redisUrl,
      ingestionUrls,
      upstreamUrl: await upstream.start(),
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([ingestion.stop(), upstream.stop()]);
  });
  beforeEach(() => {
    ingestion.batches.length = upstream.seen.length = 0;
  });

  const bearer = (key: string): Wrong => ({ authorization: `Bearer ${key}` });
  const other = ({ scope }: PartnerPath): EventScope => (scope === 'events:send' ? 'events:read' : 'events:send');
  /** In the order of the checks. */
  const conditions: readonly Condition[] = [
    { name: 'an unknown path', code: 'not_found', wrong: ({ path }) => ({ target: `${path}/x` }) },
    { name: 'another method', code: 'method_not_allowed', wrong: () => ({ method: 'PUT' }) },
    { name: 'no key', code: 'unauthorized', wrong: () => ({ authorization: '' }) },
    { name: 'a malformed key', code: 'unauthorized', wrong: () => bearer('podium_test_ev_x') },
    {
      name: 'a key of production',
      code: 'environment_mismatch',
      wrong: () => bearer(createKey('production', 'ev').key),
    },
    { name: 'a data key', code: 'unauthorized', wrong: () => bearer(gateway.newDataKey().key) },
    { name: 'an unknown key', code: 'unauthorized', wrong: () => bearer(createKey('test', 'ev').key) },
    {
      name: 'a revoked key',
      code: 'unauthorized',
      wrong: (_, platform) => bearer(gateway.newKey(platform, { revokedAtMs: 1 })),
    },
    {
      name: 'an expired key',
      code: 'unauthorized',
      wrong: (_, platform) => bearer(gateway.newKey(platform, { notAfterMs: 1 })),
    },
    {
      name: 'a key without the scope',
      code: 'forbidden',
      wrong: (at, platform) => bearer(gateway.newKey(platform, { scopes: [other(at)] })),
    },
    {
      name: 'a key without any scope',
      code: 'forbidden',
      wrong: (_, platform) => bearer(gateway.newKey(platform, { scopes: [] })),
    },
    { name: 'a paused integration', code: 'integration_paused', wrong: () => ({ isPaused: true }) },
    { name: 'a platform over its rate', code: 'rate_limited', wrong: () => ({ rate: 'over' }) },
    {
      name: 'a body that is not JSON',
      code: 'unsupported_media_type',
      wrong: () => ({ headers: { 'content-type': 'text/xml' } }),
      needsBody: true,
    },
    {
      name: 'a compressed body',
      code: 'unsupported_media_type',
      wrong: () => ({ headers: { 'content-encoding': 'br' } }),
      needsBody: true,
    },
    { name: 'a body above its limit', code: 'payload_too_large', wrong: () => ({ isTooLarge: true }), needsBody: true },
  ];
  const cases = paths.flatMap((at) =>
    conditions
      .map((condition, place) => ({ at, condition, place }))
      .filter(({ condition }) => condition.needsBody !== true || at.maxBodyBytes !== undefined)
      .map((row) => ({ ...row, what: row.condition.name, where: `${at.method} ${at.path}`, code: row.condition.code })),
  );

  it.each(cases)('$where refuses $what with $code, whatever else is wrong', async ({ at, place, code }) => {
    const platform = freshName('p');
    const key = gateway.newKey(platform);
    // A later condition must not answer first; an earlier one is met.
    const wrongs = conditions.slice(place).map(({ wrong }) => wrong(at, platform));
    const given: Wrong = wrongs.reduceRight((all, wrong) => ({ ...all, ...wrong }), {});
    gateway.keys.setIntegration(recordKey(platform), {
      status: given.isPaused ? 'paused' : 'active',
      rate_per_second: 1,
    });
    let answer = await askOverRate();
    // On a busy machine the platform may have been given a request again by the time it asks.
    for (let again = 0; again < 10 && code === 'rate_limited' && answer.status !== 429; again++)
      answer = await askOverRate();
    const { error } = (await answer.json()) as { error: { code: string; retry: string; message: string } };
    const { status, retry } = errorCatalogue[code];
    expect([answer.status, error.code, error.retry]).toEqual([status, code, retry]);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    expect(answer.headers.has('retry-after')).toBe(code === 'integration_paused' || code === 'rate_limited');
    expect([ingestion.batches, upstream.seen]).toEqual([[], []]);

    async function askOverRate(): Promise<Response> {
      if (given.rate === 'over' && code === 'rate_limited')
        await Promise.all(Array.from({ length: 6 }, () => send(at, key, {}).then((each) => each.text())));
      ingestion.batches.length = upstream.seen.length = 0;
      return send(at, key, given);
    }
  });

  it('has the rows of each', () => {
    const served = routes.map(({ path }) => path).filter((path) => path.startsWith('/cdp/'));
    expect(paths.map(({ path }) => path).sort()).toEqual(served.sort());
  });

  it.each(paths)('$method $path is about the platform of the key, whichever the request names (V5)', async (at) => {
    const [own, other] = [freshName('p'), freshName('p')];
    gateway.newKey(other);
    const target = `${at.path}?platform=${other}`;
    await send(at, gateway.newKey(own), { target, headers: { [platformHeader]: other } });
    const platforms = [
      ...ingestion.batches.flat().map(({ platform }) => platform),
      ...upstream.seen.map(({ headers }) => headers[platformHeader]),
    ];
    expect(platforms).toEqual([own]);
  });

  function send(at: PartnerPath, key: string, wrong: Wrong): Promise<Response> {
    const body =
      at.method === 'POST' ? '{"platform":"zenith","events":[{"platform":"zenith"}],"ids":["a"]}' : undefined;
    const isGet = (wrong.method ?? at.method) === 'GET';
    return fetch(gateway.url + (wrong.target ?? at.path), {
      method: wrong.method ?? at.method,
      body: isGet ? undefined : wrong.isTooLarge ? ' '.repeat((at.maxBodyBytes ?? kib) + 1) : body,
      headers: {
        authorization: wrong.authorization ?? `Bearer ${key}`,
        ...(at.method === 'POST' && { 'content-type': 'application/json' }),
        ...wrong.headers,
      },
    });
  }
});
