import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
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
