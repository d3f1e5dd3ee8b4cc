import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer, IncomingMessage } from 'node:http';
import { AddressInfo } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '@podium/messages';
import { demoContract, demoSegment } from './demo';

const memory = {
  ...{ integration_id: 'i-1', event_api_key: 'event-key', platform_user_id: 'u-1', data_api_key: 'data-key' },
  ...{ task_id: 't-1', progress_task_id: 't-2', segment_id: 's-1', segment_name: demoSegment.name },
  ...{ queue_developer_key: 'k', queue_organizer_key: 'k' },
};
const onboarding = { test: { redirect_url: 'http://gateway/callback', send_event_url: 'http://gateway/send' } };

/** A change that the seed made: method, path and body. */
type Change = [string, string, Record<string, unknown>];

/** Gateway and sandbox in one server, with the two integrations of a demo that exists. */
class FakeStack {
  readonly changes: Change[] = [];
  /** Where the integrations say that their partners are. */
  partnersAt: string;
  isDemoKnown = true;
  /** The contract's versions, newest first. */
  contracts: { events: typeof demoContract }[] = [];
  /** What the user has linked. */
  link: { state: string; nickname: string } | null = null;
  /** Keys by the path that lists them. */
  keys: Record<string, { key_id: string; name: string | null; state: string }[]> = {};
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(([status, body, headers]) =>
      response.writeHead(status, headers).end(JSON.stringify(body)),
    );
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.partnersAt = this.url;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer(request: IncomingMessage): Promise<[number, unknown, Record<string, string>?]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const route = `${request.method} ${request.url?.split('?')[0]}`;
    const known = {
      integration_id: 'i-1',
      platform: 'acme-bets',
      base_url: `${this.partnersAt}/partners/acme-bets`,
      onboarding,
    };
    const strict = {
      integration_id: 'i-2',
      platform: 'strict-games',
      base_url: `${this.partnersAt}/strict-partner`,
      onboarding,
    };
    const isLogIn = route === 'POST /log-in' || route.startsWith('POST /v1/me/links/');
    const isOfKeys = /^POST .*\/keys(\/|$)/.test(route);
    if (['PUT', 'PATCH'].includes(request.method ?? '') || isLogIn || isOfKeys)
      this.changes.push([request.method ?? '', request.url ?? '', bodyOf(text)]);
    switch (route) {
      case 'POST /dev/tokens':
        return [200, { access_token: 'token' }];
      case 'GET /admin/v1/integrations/i-1':
        return this.isDemoKnown ? [200, known] : [404, { error: { code: 'not_found' } }];
      case 'GET /admin/v1/integrations/i-1/contracts':
        return [200, { items: this.contracts }];
      case 'PATCH /admin/v1/integrations/i-1':
        return [200, known];
      case 'GET /admin/v1/integrations':
        return [200, { items: [known, strict] }];
      case 'PATCH /admin/v1/integrations/i-2':
        return [200, strict];
      case 'GET /dev/strict-partner':
        return [
          200,
          {
            base_url: `${this.url}/strict-partner`,
            authorization_url: `${this.url}/strict-partner/authorize`,
            profile: {},
          },
        ];
      case 'GET /admin/v1/keys':
      case 'GET /admin/v1/integrations/i-1/keys':
        return [200, { items: this.keys[route.slice('GET /admin/v1'.length)] ?? [] }];
      case 'POST /admin/v1/keys':
        return [200, { key: 'new-data-key' }];
      case 'POST /admin/v1/integrations/i-1/keys':
        return [200, { key: 'new-event-key' }];
      case 'GET /v1/me/links/i-1':
        return [200, { link: this.link }];
      case 'GET /dev/partners/acme-bets':
        return [
          200,
          {
            accounts: [
              { sub: 'u-1', nickname: 'lucky-fox' },
              { sub: 'u-2', nickname: 'quick-hare' },
            ],
          },
        ];
      case 'POST /v1/me/links/i-1/start':
        return [200, { authorization_url: `${this.url}/log-in` }, { 'set-cookie': 'flow=1; Path=/' }];
      case 'POST /log-in':
        return [303, {}, { location: `${this.url}/callback` }];
      default:
        return [200, {}];
    }
  }
}

function bodyOf(text: string): Record<string, unknown> {
  return text.startsWith('{')
    ? (JSON.parse(text) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(text));
}

describe('the seed, after a run that has made the demo', () => {
  const stack = new FakeStack();
  let folder: string;

  beforeAll(() => stack.start());
  afterAll(() => stack.stop());
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'seed-'));
    fs.writeFileSync(path.join(folder, 'seed.json'), JSON.stringify(memory));
    stack.changes.length = 0;
    stack.partnersAt = stack.url;
    stack.keys = {};
    stack.link = { state: 'ready', nickname: 'quick-hare' };
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  async function seed(): Promise<Record<string, unknown>> {
    const args = ['-r', '@swc-node/register', path.join(__dirname, 'seed.ts')];
    const env = { ...process.env, GATEWAY_URL: stack.url, SANDBOX_URL: stack.url, SEED_FILE: `${folder}/seed.json` };
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env,
      cwd: path.resolve(__dirname, '../..'),
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it.each([
    ['that are as before', () => stack.url],
    ['of a server that an operator has entered', () => 'https://partner.example'],
  ])('leaves addresses %s', async (_, partnersAt) => {
    stack.partnersAt = partnersAt();
    expect(await seed()).toMatchObject({
      integration_id: 'i-1',
      strict_integration_id: 'i-2',
      event_api_key: 'event-key',
    });
    expect(stack.changes).toEqual([]);
  });

  it('gives both partners and Podium their addresses on other ports, with new secrets, and links the user again', async () => {
    stack.partnersAt = 'http://127.0.0.1:1';
    expect(await seed()).toMatchObject({ integration_id: 'i-1', strict_integration_id: 'i-2' });

    const { url, changes } = stack;
    const secretOf = ([, , body]: Change): unknown =>
      body.client_secret ?? (body.client as Record<string, unknown>).client_secret;
    const [acme, strict] = [changes[0], changes[4]].map(secretOf);
    expect([acme, strict]).toEqual([expect.stringMatching(/^[\w-]{32}$/), expect.stringMatching(/^[\w-]{32}$/)]);
    expect(changes).toEqual([
      [
        'PUT',
        '/dev/partners/acme-bets',
        {
          client: { client_id: 'podium', client_secret: acme, redirect_url: 'http://gateway/callback' },
          sending: { send_event_url: 'http://gateway/send', platform: 'acme-bets', event_api_key: 'event-key' },
        },
      ],
      [
        'PATCH',
        '/admin/v1/integrations/i-1',
        {
          ...{ base_url: `${url}/partners/acme-bets`, authorization_url: `${url}/partners/acme-bets/authorize` },
          ...{ client_id: 'podium', client_secret: acme },
        },
      ],
      ['POST', '/v1/me/links/i-1/start', {}],
      ['POST', '/log-in', { account: 'quick-hare', action: 'allow' }],
      ['PUT', '/dev/strict-partner/clients/podium', { client_secret: strict, redirect_url: 'http://gateway/callback' }],
      [
        'PATCH',
        '/admin/v1/integrations/i-2',
        {
          ...{ base_url: `${url}/strict-partner`, authorization_url: `${url}/strict-partner/authorize` },
          ...{ client_id: 'podium', client_secret: strict },
        },
      ],
    ]);
  });

  it.each([
    ['the account that the user has linked since', { state: 'ready', nickname: 'quick-hare' }, 'u-2'],
    ['the first account when the user has unlinked', { state: 'unlinked', nickname: 'quick-hare' }, 'u-1'],
    ['the first account when no link is left', null, 'u-1'],
    ['the first account when the linked one is unknown', { state: 'ready', nickname: 'other' }, 'u-1'],
  ])('has events of %s', async (_, link, sub) => {
    stack.link = link;
    expect(await seed()).toMatchObject({ linked_user: { user_id: 'demo-user', platform_user_id: sub } });
    expect(stack.changes).toEqual([]);
  });

  describe('whose keys an operator has changed,', () => {
    const [event, other, data] = [createKey('test', 'ev'), createKey('test', 'ev'), createKey('test', 'dt')];
    const list = (...entries: [{ keyId: string }, string, string?][]): (typeof stack.keys)[string] =>
      entries.map(([{ keyId }, state, name]) => ({ key_id: keyId, state, name: name ?? null }));
    beforeEach(() => {
      const keys = { event_api_key: event.key, data_api_key: data.key };
      fs.writeFileSync(path.join(folder, 'seed.json'), JSON.stringify({ ...memory, ...keys }));
    });

    it('replaces those that are refused, also at the partner, and keeps the new ones', async () => {
      stack.keys = {
        '/keys': list([data, 'revoked', 'Demo data_api_key'], [other, 'live', 'Demo data_api_key']),
        '/integrations/i-1/keys': list([event, 'expired'], [other, 'live']),
      };
      const expected = { event_api_key: 'new-event-key', data_api_key: 'new-data-key', queue_developer_key: 'k' };
      expect(await seed()).toMatchObject(expected);
      expect(stack.changes.map(([method, url]) => `${method} ${url}`)).toEqual([
        `POST /admin/v1/keys/${other.keyId}/revoke`,
        'POST /admin/v1/keys',
        'POST /admin/v1/integrations/i-1/keys',
        'PUT /dev/partners/acme-bets',
      ]);
      expect(stack.changes[3][2]).toEqual({
        sending: { send_event_url: 'http://gateway/send', platform: 'acme-bets', event_api_key: 'new-event-key' },
      });

      stack.changes.length = 0;
      expect(await seed()).toMatchObject(expected);
      expect(stack.changes).toEqual([]);
    });

    it.each([
      ['leaves live ones', list([event, 'live'], [other, 'revoked'])],
      ['leaves its event key when two others are live', list([event, 'revoked'], [other, 'live'], [data, 'live'])],
    ])('%s', async (_, keys) => {
      stack.keys = { '/keys': list([data, 'live']), '/integrations/i-1/keys': keys };
      expect(await seed()).toMatchObject({ event_api_key: event.key, data_api_key: data.key });
      expect(stack.changes).toEqual([]);
    });
  });

  it('says what to do when the servers do not have that demo', async () => {
    stack.isDemoKnown = false;
    await expect(seed()).rejects.toMatchObject({
      code: 1,
      stderr: `Seeding the demo failed: the data in ${folder} belongs to another Postgres or Kafka: give this one a stack of its own with STACK_NAME=<new name>, or remove all local data with "npm run stack:reset".\n`,
    });
  });

  it('says what to do when the contract of an earlier release has no money', async () => {
    fs.rmSync(path.join(folder, 'seed.json'));
    const plain = demoContract.map(({ attributes, ...event }) => ({
      ...event,
      attributes: attributes.map(({ name, type }) => ({ name, type })),
    }));
    stack.contracts = [{ events: plain as unknown as typeof demoContract }];
    await expect(seed()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/without the currency of deposits: .*STACK_NAME=<new name>.*stack:reset/) as string,
    });
  });
});
