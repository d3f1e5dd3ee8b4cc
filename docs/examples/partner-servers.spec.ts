import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo, connect } from 'node:net';
import * as path from 'node:path';
import { checkServer, codesOf, redirectUri } from '../../libs/partner-check/test/check-server';
import { RunningServer, startServer } from '../../libs/partner-check/test/running-server';

const examples = [
  { file: 'partner-server.mjs', command: process.execPath },
  { file: 'partner_server.py', command: 'python3' },
] as const;

describe.each(examples)('the example $file', ({ file, command }) => {
  const source = path.join(__dirname, file);
  const client = { clientId: 'podium', clientSecret: 'a%b+c/d=e' };
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer(command, [source], {
      ...{ CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret, REDIRECT_URL: redirectUri },
      ...{ PLATFORM: 'shop', SEND_EVENT_URL: 'http://127.0.0.1:9/', EVENT_API_KEY: 'unused' },
    });
  });
  afterAll(() => server.stop());

  it('survives requests that cannot be read or break off', async () => {
    const head = 'POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n';
    for (const bytes of [
      'GET // HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http:// HTTP/1.1\r\nHost: a\r\n\r\n',
      `${head}code=`,
    ])
      await sendAndLeave(server.url, bytes);
    expect((await fetch(`${server.url}/authorize`)).status).toBe(400);
  });

  it('passes the check without a finding, in at most 75 lines', async () => {
    const report = await checkServer({ ...client, authorizationUrl: `${server.url}/authorize`, baseUrl: server.url });
    expect(codesOf(report)).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'links',
      log_ins: 2,
      profile: {
        client_auth: { observed: true, value: 'basic_raw' },
        client_id_in_body: { observed: true, value: false },
        pkce: { observed: true, value: true },
        pkce_verified: { observed: true, value: true },
        rotation: { observed: true, value: true },
        reuse: { observed: true, value: 'refused' },
        access_token_lifetime_s: { observed: true, value: 3600 },
      },
    });
    expect(report.cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(readFileSync(source, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(75);
  });
});

describe('the example partner-server.mjs, as a sender', () => {
  it('sends an event again as late as a proxy asks by a date, then with growing delays, until it is accepted', async () => {
    const atMs: number[] = [];
    const bodies = new Set<string>();
    const podium = createServer((request, response) => {
      request.on('data', (part: Buffer) => bodies.add(part.toString()));
      request.on('end', () => {
        const tries = atMs.push(Date.now());
        // Dates have whole seconds.
        if (tries === 1) response.writeHead(503, { 'retry-after': new Date(Date.now() + 4_000).toUTCString() });
        else response.writeHead(tries === 2 ? 503 : 200);
        response.end();
      });
    });
    await new Promise<void>((resolve) => podium.listen(0, '127.0.0.1', resolve));
    const server = await startServer(process.execPath, [path.join(__dirname, 'partner-server.mjs')], {
      ...{ CLIENT_ID: 'podium', CLIENT_SECRET: 'secret', REDIRECT_URL: redirectUri, PLATFORM: 'shop' },
      ...{ SEND_EVENT_URL: `http://127.0.0.1:${(podium.address() as AddressInfo).port}/`, EVENT_API_KEY: 'key' },
    });
    try {
      const body = new URLSearchParams({ sub: 'user-ada', amount: '25.00' });
      const answer = await fetch(`${server.url}/deposit`, { method: 'POST', body });
      expect(await answer.json()).toEqual({ sent: expect.any(String) });
      const [first, second, third] = atMs;
      expect([atMs.length, bodies.size]).toEqual([3, 1]);
      expect(second - first).toBeGreaterThan(2_500);
      expect(third - second).toBeGreaterThan(1_900);
    } finally {
      await server.stop();
      podium.closeAllConnections();
      await new Promise((resolve) => podium.close(resolve));
    }
  }, 30_000);
});

/** Sends bytes on a connection of their own, and ends it a moment later. */
async function sendAndLeave(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.on('error', () => undefined).resume();
  setTimeout(() => socket.destroy(), 200);
  await new Promise((resolve) => socket.once('close', resolve));
  // The server sees the end of a connection after its client does.
  await new Promise((resolve) => setTimeout(resolve, 100));
}
