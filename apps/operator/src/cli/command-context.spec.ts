import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';
import { readObject } from './command-context';

describe('a number of items that is none', () => {
  it.each([
    [['dlq', 'show', 'engagement.user-events', '--max', '0'], /--max <count>.*'0' is invalid.*whole number from 1/],
    [['integrations', 'list', '--max', 'x'], /--max <count>.*'x' is invalid.*whole number from 1/],
  ])('is wrong usage, and the error names its option: %j', async (args, sentence) => {
    let err = '';
    const environment = { env: {}, readStdin: async () => '', out: () => undefined };
    expect(await runPodium(args, { ...environment, err: (text) => void (err += text) })).toBe(2);
    expect(err).toMatch(sentence);
  });
});

describe('a JSON file', () => {
  const environment = (text: string) => ({
    env: {},
    readStdin: async () => text,
    out: () => undefined,
    err: () => undefined,
  });

  it('may begin with a byte order mark, as programs of Windows write it', async () => {
    expect(await readObject('-', environment('\ufeff{"events":[]}'))).toEqual({ events: [] });
  });

  it('that is not JSON is named', async () => {
    await expect(readObject('-', environment('\ufeff{'))).rejects.toThrow(/^stdin is not JSON: /);
  });
});

describe('a list that has more', () => {
  it('says so on standard error, also with --json', async () => {
    const gateway = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [{ user_id: 'a' }, { user_id: 'b' }], next_cursor: 'next' })),
    );
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const seen = { out: '', err: '' };
    const code = await runPodium(['links', 'list', '--max', '2', '--json'], {
      env: { PODIUM_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, PODIUM_TOKEN: 't' },
      readStdin: async () => '',
      ask: undefined,
      out: (text) => void (seen.out += text),
      err: (text) => void (seen.err += text),
    });
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
    expect([code, JSON.parse(seen.out)]).toEqual([0, [{ user_id: 'a' }, { user_id: 'b' }]]);
    expect(seen.err).toContain('There are more: --max');
  });
});

describe('an empty list of a platform', () => {
  let gateway: Server;
  let integrations: Readonly<{ status: number; platforms: readonly string[] }>;
  beforeAll(async () => {
    gateway = createServer(({ url = '' }, response) => {
      const { status, platforms } = url.startsWith('/admin/v1/integrations')
        ? integrations
        : { status: 200, platforms: [] };
      const items = platforms.map((platform) => ({ platform }));
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items, next_cursor: null }));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => gateway.close(resolve)));

  const list = async (noun: string): Promise<{ code: number; out: string; err: string }> => {
    const seen = { out: '', err: '' };
    const code = await runPodium([noun, 'list', '--platform', 'acme-bets'], {
      env: { PODIUM_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, PODIUM_TOKEN: 't' },
      readStdin: async () => '',
      out: (text) => void (seen.out += text),
      err: (text) => void (seen.err += text),
    });
    return { code, ...seen };
  };

  it.each(['links', 'awards', 'refusals', 'drift', 'segments', 'tasks'])(
    'is not shown for a misspelt one: %s',
    async (noun) => {
      integrations = { status: 200, platforms: ['acme-bet'] };
      expect(await list(noun)).toEqual({
        code: 2,
        out: '',
        err: 'There is no integration acme-bets, or you may not see it: integrations list shows yours.\n',
      });
    },
  );

  it.each([
    ['is that of a partner who has nothing yet', { status: 200, platforms: ['acme-bets'] }],
    ['is shown while integrations cannot be read', { status: 503, platforms: [] }],
  ])('%s', async (_why, answered) => {
    integrations = answered;
    expect(await list('tasks')).toEqual({ code: 0, out: 'None.\n', err: '' });
  });
});
