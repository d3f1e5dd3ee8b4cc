import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Server, createServer, request } from 'node:http';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { freshName } from '@podium/testing';
import { RunningLinkage, startLinkage } from '../../linkage/test/running-linkage';
import { runPodium } from './podium';

describe("the operators' command line", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-cli-'));
  const platform = freshName('p');
  let linkage: RunningLinkage;
  let gateway: Server;
  let url: string;
  let token: string;

  beforeAll(async () => {
    linkage = await startLinkage();
    gateway = await startGateway(linkage);
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    token = await linkage.operatorToken({ '*': 'admin' });
    const created = await run(
      ['integrations', 'create', '--platform', platform, '--partner', platform, '--organizer', 'o-1', '--name', 'Acme']
        .concat(['--authorization-url', 'https://acme.example/login', '--base-url', 'https://acme.example'])
        .concat(['--client-id', 'podium', '--client-secret-file', file('secret.txt', 'canary-cli\n')]),
    );
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toContain('https://podium.example/v1/oauth/callback/');
    expect(created.out).not.toContain('canary-cli');
  });

  afterAll(async () => {
    gateway?.close();
    await linkage?.stop();
  });

  function file(name: string, text: string): string {
    const full = path.join(folder, name);
    writeFileSync(full, text);
    return full;
  }

  interface RunOptions {
    stdin?: string;
    token?: string;
    url?: string;
    /** The typed confirmation; without it there is no terminal. */
    typed?: string;
  }

  async function run(args: string[], options: RunOptions = {}) {
    let out = '';
    let err = '';
    const code = await runPodium(args, {
      env: { PODIUM_URL: options.url ?? url, PODIUM_TOKEN: options.token ?? token },
      readStdin: async () => options.stdin ?? '',
      ask: options.typed === undefined ? undefined : async () => options.typed!,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }

  it('lists as a table for people and as JSON for machines', async () => {
    const people = await run(['integrations', 'list']);
    expect(people.out).toMatch(/^PLATFORM +INTEGRATION_ID/);
    expect(people.out).toContain(platform);
    const machines = await run(['integrations', 'list', '--json']);
    expect(JSON.parse(machines.out)).toEqual([expect.objectContaining({ platform, status: 'active' })]);
    expect(JSON.parse((await run(['--json', 'integrations', 'show', platform])).out)).toMatchObject({ platform });
  });

  it('refuses a partner server on this machine outside of a local stack, and an address that is none', async () => {
    const refused = await run(['partners', 'init', freshName('p'), '--url', 'http://127.0.0.1:9000']);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('must begin with https://') });
    for (const given of [[], ['--url', 'shop']])
      expect(await run(['partners', 'init', freshName('p'), ...given])).toMatchObject({
        ...{ code: 2, err: expect.stringContaining('--url must be') },
      });
    const taken = await run(['partners', 'init', platform, '--url', 'https://other.example']);
    expect(taken).toMatchObject({ code: 2, err: expect.stringContaining('exists already, for https://acme.example') });
  });

  it('erases a user after a confirmation, or with --yes', async () => {
    const command = ['erase', 'user', '--user-id', 'user-17', '--wait', '0'];
    expect(await run(command)).toMatchObject({
      code: 2,
      err: 'There is no terminal for the confirmation: give --yes.\n',
    });
    expect(await run(command, { typed: 'user-1' })).toMatchObject({ code: 2, out: '' });
    const typed = await run(command, { typed: 'user-17' });
    expect(typed).toMatchObject({ code: 0, err: expect.stringContaining('No link of this user was found') });
    const [, id] = /erase status ([0-9a-f-]{36})/.exec(typed.out)!;
    const shown = JSON.parse((await run(['erase', 'status', id, '--json'])).out) as Record<string, unknown>;
    expect(shown).toMatchObject({ erasure_id: id, links: 0, done_at: { linkage: expect.any(String) as string } });
    expect((await run([...command, '--yes', '--platform-user-id', 'x'])).code).toBe(2);
  });

  it('pauses, resumes and rotates the secret', async () => {
    expect((await run(['integrations', 'pause', platform])).out).toBe(`${platform} is paused.\n`);
    const shown = await run(['integrations', 'pause', platform, '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ platform, status: 'paused' });
    expect((await run(['integrations', 'resume', platform])).out).toBe(`${platform} is active.\n`);
    const rotated = await run([
      'integrations',
      'update',
      platform,
      '--json',
      '--client-secret-file',
      file('s2', 'new'),
    ]);
    expect(JSON.parse(rotated.out)).toMatchObject({ client_secret_rotating: true });
    const ended = await run(['integrations', 'update', platform, '--json', '--end-rotation']);
    expect(JSON.parse(ended.out)).toMatchObject({ client_secret_rotating: false });
  });

  it('sets the rate of a partner and the scopes of a key', async () => {
    const updated = await run(['integrations', 'update', platform, '--json', '--rate', '200']);
    expect(JSON.parse(updated.out)).toMatchObject({ rate_per_second: 200 });
    expect((await run(['integrations', 'update', platform, '--rate', '5001'])).code).toBe(2);
    const reading = await run(['keys', 'create', platform, '--json', '--scopes', 'events:read']);
    expect(JSON.parse(reading.out)).toMatchObject({ scopes: [{ scope: 'events:read' }] });
    const { key_id: keyId } = JSON.parse(reading.out) as { key_id: string };
    expect((await run(['keys', 'list', platform])).out).toMatch(new RegExp(`${keyId} +live +events:read `));
    expect((await run(['keys', 'create', platform, '--scopes', 'data:read'])).code).toBe(2);
    await run(['keys', 'revoke', keyId]);
  });

  it('publishes a contract from stdin and shows a refusal with its code and remedy', async () => {
    const deposit = { name: 'deposit', kind: 'repeatable', attributes: [] };
    const stdin = JSON.stringify({ events: [deposit] });
    expect(await run(['contracts', 'publish', platform, '--file', '-'], { stdin })).toMatchObject({ code: 0 });
    expect((await run(['contracts', 'show', platform])).out).toContain('deposit');
    const refused = await run(['contracts', 'publish', platform, '--file', '-'], { stdin: '{"events":[]}' });
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^unprocessable: events: the event "deposit" is missing.*\nWhat to do: /);
    const retired = JSON.stringify({ events: [{ ...deposit, retired: true }] });
    const expecting = (version: string) =>
      run(['contracts', 'publish', platform, '--file', '-', '--expected-version', version], { stdin: retired });
    expect(await expecting('0')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^conflict: .* is 1;/) as string,
    });
    expect(await expecting('-1')).toMatchObject({ code: 2 });
    expect(await expecting('1')).toMatchObject({ code: 0 });
  });

  it('shows a key once, refuses a third and revokes', async () => {
    const first = JSON.parse((await run(['keys', 'create', platform, '--json'])).out) as {
      key: string;
      key_id: string;
    };
    expect((await run(['keys', 'create', platform])).out).toContain('podium_test_ev_');
    expect((await run(['keys', 'create', platform])).err).toMatch(/^conflict: Two event keys are live/);
    expect((await run(['keys', 'revoke', first.key_id])).out).toContain('revoked');
    const listed = await run(['keys', 'list', platform]);
    expect(listed.out).toContain(first.key_id);
    expect(listed.out).not.toContain(first.key);
  });

  it('makes a data key with scopes and a rate, lists and revokes it', async () => {
    const made = await run(
      ['keys', 'create-data', '--name', 'bot', '--scope', 'data:read', '--scope', 'queues:developer=cs2,dota2']
        .concat(['--scope', 'queues:organizer=o-1', '--rate', '250', '--format', 'uuid', '--organizer', 'o-1'])
        .concat(['--not-after', '2099-01-01T00:00:00Z', '--json']),
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    const { key, key_id: keyId, ...shown } = JSON.parse(made.out) as Record<string, string>;
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(shown).toMatchObject({
      name: 'bot',
      rate_per_second: 250,
      organizer_id: 'o-1',
      not_after: '2099-01-01T00:00:00.000Z',
      scopes: [
        { scope: 'data:read' },
        { scope: 'queues:developer', game_ids: ['cs2', 'dota2'] },
        { scope: 'queues:organizer', organizer_ids: ['o-1'] },
      ],
    });
    const listed = await run(['keys', 'list-data', '--organizer', 'o-1']);
    expect(listed.out).toContain(`${keyId}  bot   live   data:read queues:developer=cs2,dota2`);
    expect(listed.out).not.toContain(key);
    expect((await run(['keys', 'list-data', '--organizer', 'o-2'])).out).toBe('None.\n');
    expect((await run(['keys', 'revoke', keyId])).out).toContain('revoked');
    const plain = await run(['keys', 'create-data', '--name', 'site', '--scope', 'data:read']);
    expect(plain.out).toMatch(/podium_test_dt_[^]*Save the key now/);
  });

  it('replaces a key, and shows how long the previous one stays valid', async () => {
    const made = await run(['keys', 'create-data', '--name', 'shop', '--scope', 'data:read', '--json']);
    const { key_id: keyId } = JSON.parse(made.out) as { key_id: string };
    const rotated = await run(['keys', 'rotate', keyId, '--overlap', '36h']);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    expect(rotated.out).toContain(`${keyId} stays valid for 1 d 12 h.`);
    expect(rotated.out).toContain('podium_test_dt_');
  });

  it('shows under which vault keys secrets are, to operators of the whole service', async () => {
    const shown = await run(['vault', '--json']);
    expect(JSON.parse(shown.out)).toEqual([{ key_id: 'k1', state: 'sealing', sealed: null, instances: 1 }]);
    expect((await run(['vault'])).out).toMatch(/^KEY_ID +STATE +SEALED +INSTANCES\nk1 +sealing +- +1 of 1\n$/);
    const ofOne = await linkage.operatorToken({ 'o-1': 'admin' });
    expect((await run(['vault'], { token: ofOne })).err).toMatch(/^forbidden: /);
  });

  it('lists links', async () => {
    expect(await run(['links', 'list', '--platform', platform])).toMatchObject({ code: 0, out: 'None.\n' });
  });

  it.each([
    [['integrations', 'show', 'no-such'], 2, /no integration no-such/],
    [['integrations', 'create', '--file', '/no/such/file'], 2, /cannot be read/],
    [['integrations', 'update', platform], 2, /Nothing to change/],
    [['contracts', 'publish', platform], 2, /--file/],
    [['refusals', 'list'], 2, /--platform/],
    [['drift', 'list'], 2, /--platform/],
    [['integrations', 'list', '--max', '0'], 2, /whole number/],
    [['keys', 'create-data', '--name', 'x'], 2, /--scope/],
    [['keys', 'create-data', '--name', 'x', '--scope', 'data:write'], 2, /--scope data:write: must be/],
    [['keys', 'create-data', '--name', 'x', '--scope', 'queues:developer'], 2, /--scope queues:developer: must be/],
    [['keys', 'create-data', '--name', 'x', '--scope', 'data:read', '--rate', '0'], 2, /--rate 0: must be/],
    [
      ['keys', 'create-data', '--name', 'x', '--scope', 'queues:organizer=a b'],
      1,
      /^invalid_request: .*\nWhat to do: /,
    ],
    [['keys', 'rotate', 'x', '--overlap', '1w'], 2, /--overlap 1w: must be/],
    [['no-such-command'], 2, /unknown command/],
    [['keys', 'revoke', 'x'], 1, /^not_found: .*\nWhat to do: /],
  ])('%j ends with %i and says why', async (args, code, sentence) => {
    const ended = await run(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(sentence);
  });

  it('shows a remedy without a role, without a valid token and without a service', async () => {
    const viewer = await linkage.operatorToken({ 'o-1': 'viewer' });
    expect((await run(['keys', 'create', platform], { token: viewer })).err).toMatch(/^forbidden: .*\nWhat to do: ask/);
    expect((await run(['integrations', 'list'], { token: 'x' })).err).toMatch(/^unauthorized: /);
    const away = await run(['integrations', 'list'], { url: 'http://127.0.0.1:1' });
    expect(away).toMatchObject({ code: 1 });
    expect(away.err).toMatch(/^unreachable: /);
  });

  it('runs as a program with its exit code', () => {
    const program = (...args: string[]) =>
      spawnSync(process.execPath, ['-r', '@swc-node/register', path.join(__dirname, 'main.ts'), ...args], {
        env: { ...process.env, PODIUM_URL: 'http://127.0.0.1:1', PODIUM_TOKEN: 'x' },
        encoding: 'utf8',
      });
    expect(program('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Examples:') as string });
    expect(program('integrations', 'list')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('What to do') as string,
    });
  });
});

/** Adds what the gateway adds to a request and passes it on. */
async function startGateway(linkage: RunningLinkage): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, 'x-podium-internal-token': linkage.internalToken };
    const onward = request(`${linkage.url}${incoming.url}`, { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
