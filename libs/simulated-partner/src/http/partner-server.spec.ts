import { connect } from 'node:net';
import { ModeName, actsAt, modeOf, modes } from '../modes/modes';
import { parseSelections } from '../oauth/mode-selection';
import { modeHeader } from '../oauth/partner-endpoints';
import { PartnerServer } from './partner-server';

const redirectUri = 'https://podium.test/callback';
const names = Object.keys(modes) as ModeName[];

/** How a connection is left: `open` when it is still there a while after all that is expected has come. */
type Ending = 'closed' | 'reset' | 'open';

describe('the server of simulated partners', () => {
  const server = new PartnerServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => server.setModes('acme'));

  /** A code by a log-in at the authorization page. */
  async function redirected(more: Record<string, string> = {}): Promise<URLSearchParams> {
    const { client } = server.of('acme');
    client.redirect_url = redirectUri;
    const query = {
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 'st',
      ...more,
    };
    const answer = await fetch(`${server.baseUrl('acme')}/authorize?${new URLSearchParams(query)}`, {
      redirect: 'manual',
    });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  }

  async function form(mode?: ModeName): Promise<{ body: string; headers: Record<string, string> }> {
    const { client } = server.of('acme');
    const code = (await redirected()).get('code') ?? '';
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }).toString();
    const headers = {
      authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      ...(mode ? { [modeHeader]: mode } : {}),
    };
    return { body, headers };
  }

  /** Exchanges a code over a plain connection, so that every byte and the end can be seen; waits for the expected ones. */
  async function exchange(mode: ModeName, expected: RegExp, ends: Ending): Promise<{ text: string; ending: Ending }> {
    const { body, headers } = await form(mode);
    const [host, port] = server.host.split(':');
    const lines = { host, 'content-length': String(body.length), ...headers };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve) => {
      const socket = connect(Number(port), host);
      let text = '';
      const end = (ending: Ending): void => {
        clearTimeout(waiting);
        socket.destroy();
        resolve({ text, ending });
      };
      const endIn = (ms: number): NodeJS.Timeout => setTimeout(() => end('open'), ms);
      // What never comes is shown by what came instead.
      let waiting = endIn(10_000);
      let isComplete = false;
      const look = (): void => {
        if (isComplete || ends !== 'open' || !expected.test(text)) return;
        isComplete = true;
        clearTimeout(waiting);
        waiting = endIn(300);
      };
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        look();
      });
      socket.on('error', () => end('reset')).on('close', () => end('closed'));
      socket.write(`POST /partners/acme/oauth2/token HTTP/1.1\r\n${head.join('')}\r\n${body}`, look);
    });
  }

  it.each<[ModeName, RegExp, Ending]>([
    ['reset', /^$/, 'reset'],
    ['reset-in-body', /^HTTP\/1\.1 200 [^]*\{"acc/, 'reset'],
    ['content-length-too-large', /^[^}]*$/, 'closed'],
    ['content-length-too-small', /\}$/, 'closed'],
    ['cut-off', /^(?![^]*content-length)/, 'closed'],
    ['no-answer', /^$/, 'open'],
    ['no-body', /^HTTP\/1\.1 200 /, 'open'],
    ['slow-headers', /^HTTP\/1\.\d?/, 'open'],
    ['drip', /\r\n\r\n.{2,20}$/, 'open'],
    ['not-http', /^SSH/, 'closed'],
    ['header-bomb', /: a{200000}/, 'open'],
    ['html-502', /^HTTP\/1\.1 502 [^]*<html>/, 'open'],
  ])('writes %s', async (mode, text, ending) => {
    expect(await exchange(mode, text, ending)).toEqual({ text: expect.stringMatching(text) as string, ending });
  });

  it('sends 64 MiB, and a gzip that becomes 64 MiB', async () => {
    for (const mode of ['body-64-mib', 'gzip-bomb'] as const) {
      const asked = await form(mode);
      const answer = await fetch(`${server.baseUrl('acme')}/oauth2/token`, { method: 'POST', ...asked });
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(64 * 1024 * 1024);
    }
  });

  it.each(names.filter((name) => modeOf(name).kind === 'answer'))('has an answer for %s', async (name) => {
    const mode = modeOf(name);
    if (mode.kind !== 'answer') throw new Error(name);
    const normal = {
      status: 200,
      headers: {},
      body: '{"sub":"u","nickname":"n","access_token":"at","refresh_token":"rt"}',
    };
    const { status, body } = mode.answer(normal, { url: 'http://localhost/' });
    expect(status).toBeGreaterThanOrEqual(200);
    expect(Buffer.from(body).length).toBeLessThan(1024 * 1024);
    const changes = JSON.stringify({ status, body: body.toString() }) !== JSON.stringify({ status, body: normal.body });
    expect(changes || status !== 200 || mode.delivery.kind !== 'whole' || isSame.has(name)).toBe(true);
  });

  it('is in a mode for a number of requests, at one operation, or by the log-in', async () => {
    const status = async (): Promise<number> => {
      const asked = await form();
      return (await fetch(`${server.baseUrl('acme')}/oauth2/token`, { method: 'POST', ...asked })).status;
    };
    server.setModes('acme', { mode: 'unavailable', times: 2 });
    expect([await status(), await status(), await status()]).toEqual([503, 503, 200]);
    server.setModes('acme', { mode: 'unavailable', at: ['refresh'] });
    expect(await status()).toBe(200);
    expect((await redirected({ mode: 'error-without-state' })).toString()).toBe('error=access_denied');
    expect(Object.fromEntries(await redirected())).toEqual({ code: expect.any(String), state: 'st' });
  });

  it('refuses a choice of modes that cannot be applied, and says why', () => {
    const problem = (...list: unknown[]): unknown => parseSelections({ modes: list });
    expect(problem({ mode: 'drip', at: ['refresh'], times: 3 })).toMatchObject({ ok: true });
    expect(problem({ mode: 'nothing' })).toEqual({ ok: false, problem: 'there is no mode nothing' });
    expect(problem({ mode: 'tls-expired' })).toMatchObject({ problem: expect.stringContaining('its own connections') });
    expect(problem({ mode: 'sub-absent', at: ['refresh'] })).toMatchObject({
      problem: expect.stringContaining('user_info'),
    });
    expect(problem({ mode: 'drip', times: 0 })).toMatchObject({ problem: expect.stringContaining('whole number') });
    expect(parseSelections(null)).toMatchObject({ ok: false });
  });

  it('has a name, a phrase and an operation for each mode', () => {
    for (const name of names) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(modeOf(name).summary.length).toBeGreaterThan(3);
      expect(modeOf(name).at.every((operation) => actsAt(modeOf(name), operation))).toBe(true);
    }
    expect(new Set(names.map((name) => modeOf(name).summary)).size).toBe(names.length);
  });
});

/** Modes that answer as usual: the specification allows them, or only their headers differ. */
const isSame: ReadonlySet<ModeName> = new Set<ModeName>(['as-specified', 'json-as-text', 'header-bomb']);
