import { KeyScope } from '@podium/messages';
import { DataReply } from '../../../test/data-client';
import { RunningReads, startReads } from '../../../test/running-reads';
import { sampleChange } from '../../../test/sample';
import { smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { readRows } from '../rows/read-rows';

const table = readRows.map((row) => [row.id, row] as const);
const paged = table.filter(([, { query }]) => query.cursor);
const developer: KeyScope = { scope: 'queues:developer', game_ids: [world.game] };
const reader: KeyScope = { scope: 'data:read' };
const gzip = { 'accept-encoding': 'gzip' };

describe('answers of reads', () => {
  let running: RunningReads;

  beforeAll(async () => {
    // Some responses contain the second at which they were made.
    const nowMs = Date.now();
    running = await startReads({ scopes: [reader, developer], now: () => nowMs });
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  it.each(table)('%s has a strong ETag, and 304 for who has it', async (id, row) => {
    const path = requests[id];
    const { status, headers, bytes } = await running.client.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': `private, max-age=${row.cacheS}`,
      vary: 'accept-encoding, authorization',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(headers.deprecation).toBe(id === 'getTournamentsList' ? '@1767225600' : undefined);
    const again = await running.client.get(path, { headers: { 'if-none-match': headers.etag } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    for (const name of ['etag', 'cache-control', 'vary', 'link']) expect(again.headers[name]).toBe(headers[name]);
  });

  it.each(table)('%s answers HEAD as GET, without the body', async (id) => {
    const [got, headed] = [
      await running.client.get(requests[id]),
      await running.client.get(requests[id], { method: 'HEAD' }),
    ];
    expect([headed.status, headed.bytes.length]).toEqual([200, 0]);
    expect({ ...headed.headers, date: '' }).toEqual({ ...got.headers, date: '' });
  });

  it.each([
    ['a list', (etag: string) => `"other", ${etag}`, 304],
    ['a weak form', (etag: string) => `W/${etag}`, 304],
    ['any', () => '*', 304],
    ['another one', () => '"other"', 200],
    ['one of which it is a part', (etag: string) => `"x${etag.slice(1)}`, 200],
    ['the one of the packed form', (etag: string) => etag.replace(/"$/, '-gzip"'), 200],
  ] as const)('compares If-None-Match with %s', async (_, given, status) => {
    const { etag } = (await running.client.get('/games')).headers;
    expect((await running.client.get('/games', { headers: { 'if-none-match': given(etag) } })).status).toBe(status);
  });

  it('packs what is long for clients that take it, under an ETag of its own', async () => {
    const path = `/championships/${world.championship}`;
    const plain = await running.client.get(path);
    const packed = await running.client.get(path, { headers: gzip });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding, authorization' });
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(packed.body).toEqual(plain.body);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    const headers = { ...gzip, 'if-none-match': packed.headers.etag };
    expect((await running.client.get(path, { headers })).status).toBe(304);
    const head = await running.client.get(path, { headers: gzip, method: 'HEAD' });
    expect({ ...head.headers, date: '' }).toEqual({ ...packed.headers, date: '' });
  });

  it.each(['GZIP', 'br, Gzip;Q=0.5', '*'])('packs what is long for Accept-Encoding: %s', async (accepted) => {
    const path = `/championships/${world.championship}`;
    const { headers } = await running.client.get(path, { headers: { 'accept-encoding': accepted } });
    expect(headers['content-encoding']).toBe('gzip');
  });

  it.each(['', 'identity', 'br', 'gzip;q=0', 'identity;q=1, gzip;q=0.5', 'gzip;q=0, *', '*, gzip; q=0.0'])(
    'leaves the body as it is for Accept-Encoding: %s',
    async (accepted) => {
      const path = `/championships/${world.championship}`;
      const { headers, status } = await running.client.get(path, { headers: { 'accept-encoding': accepted } });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    },
  );

  it('does not pack what is short', async () => {
    const { headers, bytes } = await running.client.get('/search/clans?name=Night', { headers: gzip });
    expect(bytes.length).toBeLessThan(1024);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each(paged)('%s has the same pages by cursor as by offset, and a way back', async (id) => {
    const [path, query = ''] = requests[id].split('?');
    const pageAt = (offset: number, limit: number) =>
      running.client.get(`${path}?${query}${query && '&'}offset=${offset}&limit=${limit}`);
    let next: string | undefined = `${path}?${query}${query && '&'}limit=2`;
    let pages = 0;
    for (let offset = 0; next !== undefined; offset += 2, pages++) {
      const page: DataReply = await running.client.get(next);
      const expected = await pageAt(offset, 2);
      expect([page.status, page.body]).toEqual([200, expected.body]);
      expect(linkOf(page, 'prev')).toBe(linkOf(expected, 'prev'));
      expect(linkOf(page, 'prev') === undefined).toBe(offset === 0);
      next = linkOf(page, 'next');
    }
    expect(linkOf(await pageAt(0, 2), 'next') === undefined).toBe(pages === 1);
    const back = linkOf(await pageAt(1, 2), 'prev');
    expect((await running.client.get(back ?? '')).body).toEqual((await pageAt(0, 1)).body);
  });

  it('keeps the window of a history while its pages are read, in the links', async () => {
    const path = `/players/${world.players[0]}/history?game=cs2&from=5&limit=2`;
    const first = await running.client.get(path);
    const { from, to } = first.body as { from: number; to: number };
    const later = await running.alike({ now: () => Date.now() + 60_000 });
    const second = await later.get(linkOf(first, 'next') ?? '');
    expect(second.body).toMatchObject({ start: 2, from, to });
  });

  it('goes on behind the maximum of offsets by cursor alone', async () => {
    const member = (index: number) =>
      sampleChange('hub-member', {
        document: { user_id: `deep-${String(index).padStart(4, '0')}` },
        beside: { hub_id: world.hub, joined_at: 9 },
      });
    await running.apply(Array.from({ length: 1060 }, (_, index) => member(index)));
    const members = `/hubs/${world.hub}/members`;
    const last = await running.client.get(`${members}?offset=1000`);
    const beyond = await running.client.get(linkOf(last, 'next') ?? '');
    expect(beyond.body).toMatchObject({ start: 1050, end: 1100 });
    expect((beyond.body as { items: unknown[] }).items).toHaveLength(15);
    expect(linkOf(beyond, 'prev')).toBe(`${members}?limit=50&offset=1000`);
    expect((await running.client.get(`${members}?offset=1001`)).status).toBe(400);
  });

  it('serves under a public name exactly the fields that are declared under it', async () => {
    const odd = { platform_url: 'kept', more: [{ platform_elo: 1 }] };
    const document = { player_id: 'odd', nickname: 'platform_url "platform_url":', infractions: odd, extra: odd };
    await running.apply([sampleChange('player', { document: document as never })]);
    const acme = await running.alike({ publicName: 'acme' });
    expect((await acme.get('/players/odd')).body).toMatchObject({ ...document, acme_url: '' });
    const declared = ['platform_url', 'platform_elo', 'platform_points'];
    for (const [id] of table) {
      const [own, under] = [await running.client.get(requests[id]), await acme.get(requests[id])];
      const renamed = JSON.stringify(own.body, (_, value: unknown) => withAcmeNames(value, declared));
      expect([id, JSON.stringify(under.body)]).toEqual([id, renamed]);
      const hasNames = declared.some((name) => own.bytes.includes(`"${name}":`));
      if (hasNames) expect(under.headers.etag).not.toBe(own.headers.etag);
    }
  });

  it.each([
    '/nothing',
    '/players/%E0%A4%A',
    '/players/%ff',
    '/games/cs2/',
    `/players/${'x'.repeat(5000)}`,
    '/players/%00',
  ])('answers %s with 404 in the shape of the data edge', async (path) => {
    const { status, headers, body } = await running.client.get(path);
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      errors: [{ message: expect.any(String), code: 'err_nf0', http_status: 404, parameters: [] }],
    });
  });

  it('refuses a word that is longer than any, whose link would not fit into the headers', async () => {
    for (const [path, name] of [
      [`/tournaments?offset=1&game=${'('.repeat(5600)}`, 'game'],
      [`/organizers?name=${'('.repeat(257)}`, 'name'],
    ])
      expect(await running.client.get(path)).toMatchObject({
        status: 400,
        body: { errors: [{ code: 'err_br0', http_status: 400, parameters: [name] }] },
      });
    const longest = await running.client.get(`/tournaments?offset=1&game=${'('.repeat(128)}`);
    expect([longest.status, longest.headers.link]).toEqual([200, expect.stringContaining('%28%28')]);
  });

  it('answers nobody who did not come by the gateway, or whose key it did not describe', async () => {
    for (const [name, value] of [
      ['x-podium-internal-token', ''],
      ['x-podium-internal-token', 'guessed'],
      ['x-podium-scopes', 'everything'],
    ])
      expect(await running.client.get('/games', { headers: { [name]: value } })).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { errors: [{ code: 'err_u0', http_status: 401 }] },
      });
  });

  it('answers 503 with Retry-After while Postgres is away', async () => {
    const client = await running.alike({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    for (const path of [requests.getPlayer, requests.getHubMembers, requests.getGlobalRanking, requests.searchPlayers])
      expect(await client.get(path)).toMatchObject({
        status: 503,
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
        body: { errors: [{ code: 'err_un0', http_status: 503, parameters: [] }] },
      });
  });

  it('counts its answers by operation and status', async () => {
    await running.client.get('/games/nobody');
    const shown = await running.registry.metrics();
    expect(shown).toMatch(/competition_read_requests_total\{operation="getGame",status="404"\} 1/);
    expect(shown).toMatch(/competition_read_request_seconds_count\{operation="getGame"\}/);
  });
});

/** The path below /data/v4 that a link of the answer refers to. */
function linkOf({ headers }: DataReply, relation: 'next' | 'prev'): string | undefined {
  const found = new RegExp(`<(/data/v4[^>]*)>; rel="${relation}"`).exec(headers.link ?? '');
  return found?.[1].slice('/data/v4'.length);
}

function withAcmeNames(value: unknown, declared: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [
      declared.includes(name) ? name.replace('platform', 'acme') : name,
      content,
    ]),
  );
}
