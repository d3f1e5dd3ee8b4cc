import * as fs from 'node:fs';
import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { runPodium } from '../podium';

const integration = {
  ...{ integration_id: '0f6b2a50-3a5e-5c1f-9c60-5a1a6a3a7b10', platform: 'shop', display_name: 'shop' },
  ...{
    organizer_id: 'shop-prizes',
    base_url: 'http://127.0.0.1:9000',
    authorization_url: 'http://127.0.0.1:9000/authorize',
  },
};

const version = { version: 3, in_force_at: '2026-01-01T00:00:00Z' };

describe('partners init of an integration that is there', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'partners-init-'));
  const asked: string[] = [];
  let liveKeys = 1;
  let hasContract = true;
  let published: unknown;
  let gateway: Server;

  beforeAll(async () => {
    gateway = createServer(async (request, response) => {
      asked.push(`${request.method} ${request.url?.split('?')[0].replace(integration.integration_id, ':id')}`);
      const sent = await text(request);
      const addresses = { redirect_url: 'http://podium/callback', send_event_url: 'http://podium/v1/events' };
      const onboarding = { test: addresses, production: addresses };
      const isKey = request.url?.endsWith('/keys');
      if (isKey && liveKeys === 2) {
        const error = { code: 'conflict', message: 'Two keys are live.' };
        return void response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      }
      if (isKey) liveKeys++;
      const isContract = request.url?.includes('/contracts') ?? false;
      if (isContract && request.method === 'POST') published = JSON.parse(sent);
      const answer = isKey
        ? { key: 'key-2' }
        : isContract
          ? request.method === 'POST'
            ? version
            : { items: hasContract ? [version] : [], next_cursor: null }
          : request.method === 'GET'
            ? { items: [integration], next_cursor: null }
            : { ...integration, onboarding };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    asked.length = 0;
    liveKeys = 1;
    hasContract = true;
    published = undefined;
  });
  afterAll(async () => {
    fs.rmSync(folder, { recursive: true });
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
  });

  async function init(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const seen = { out: '', err: '' };
    const PODIUM_URL = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const code = await runPodium(
      ['partners', 'init', 'shop', '--url', integration.base_url, '--out', folder, ...args],
      {
        env: { PODIUM_URL, PODIUM_TOKEN: 't' },
        readStdin: async () => '{}',
        ask: undefined,
        out: (text) => void (seen.out += text),
        err: (text) => void (seen.err += text),
      },
    );
    return { code, ...seen };
  }

  it('makes another key, and then another secret', async () => {
    const { code, out } = await init();
    expect([code, asked.at(-2), asked.at(-1)]).toEqual([
      0,
      'POST /admin/v1/integrations/:id/keys',
      'PATCH /admin/v1/integrations/:id',
    ]);
    expect(out).toContain('Its contract is in force.');
    expect(fs.readFileSync(path.join(folder, 'partner.env'), 'utf8')).toContain('EVENT_API_KEY=key-2');
  });

  it('publishes a first contract only, and none over a version that another operator has published meanwhile', async () => {
    expect([(await init()).code, published]).toEqual([0, undefined]);
    [hasContract, liveKeys] = [false, 1];
    expect((await init()).code).toBe(0);
    expect(published).toMatchObject({ expected_version: 0, events: expect.any(Array) });
  });

  it('changes nothing while two keys are live: the server goes on with the secret that it has', async () => {
    liveKeys = 2;
    const { code, err } = await init();
    expect([code, err]).toEqual([1, expect.stringContaining('Two keys are live.')]);
    expect(asked.filter((each) => each.startsWith('PATCH'))).toEqual([]);
  });

  it.each([
    ['below a file', () => path.join(folder, 'a-file', 'below'), 'ENOTDIR'],
    // It exists, and its rights allow root everything.
    ['where the system lets nobody make one', () => '/proc/partners-init', 'ENOENT'],
    ['where the settings are a folder', () => path.join(folder, 'taken'), 'partner.env is a folder'],
  ])('makes neither key nor secret when the settings cannot be written: %s', async (_case, out, cause) => {
    fs.writeFileSync(path.join(folder, 'a-file'), '');
    fs.mkdirSync(path.join(folder, 'taken', 'partner.env'), { recursive: true });
    const { code, err } = await init('--out', out());
    expect([code, err]).toEqual([2, expect.stringMatching(`^${out()} cannot be written: .*${cause}.*; give another`)]);
    expect(asked).toEqual([]);
  });

  it('refuses options that differ from it, and says that a given contract is not published', async () => {
    for (const [option, value] of [
      ['--name', 'Shop'],
      ['--organizer', 'other'],
      ['--authorization-url', 'http://127.0.0.1:9000/login'],
    ]) {
      const { code, err } = await init(option, value);
      expect([option, code, err]).toEqual([option, 2, expect.stringContaining('shop exists already, with')]);
    }
    expect(liveKeys).toBe(1);
    expect((await init('--organizer', 'shop-prizes')).code).toBe(0);
    expect((await init('--contract', '-')).out).toContain('contracts publish shop replaces it');
  });
});
