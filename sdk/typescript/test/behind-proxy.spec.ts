import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CertificateAuthority } from '@podium/simulated-partner/http/certificates';
import { PodiumClient } from '../src';
import { partnerEvent } from './events';
import { ForwardProxy, Forwarding } from './forward-proxy';
import { runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const env = { PODIUM_EVENT_KEY: 'canary-key' };

/** No machine knows this host: only a proxy connects to it. */
const host = 'events.invalid';

describe('behind a proxy', () => {
  const authority = new CertificateAuthority();
  const proxies: ForwardProxy[] = [];
  let server: https.Server;
  let headers: object[];
  let connections: number;
  let url: string;
  let caFile: string;

  beforeAll(async () => {
    caFile = path.join(folderOf(), 'ca.pem');
    fs.writeFileSync(caFile, authority.cert);
    server = https.createServer(authority.issue({ altName: `DNS:${host}`, days: 30 }), (request, response) => {
      headers.push(request.headers);
      void text(request).then((body) => {
        const { event } = JSON.parse(body || '{}') as { event?: { id: string } };
        response.end(
          JSON.stringify({ outcome: 'accepted', event_id: event?.id, dropped_attributes: [], problems: [] }),
        );
      });
    });
    server.on('secureConnection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://${host}:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    authority.remove();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    headers = [];
    connections = 0;
  });
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
  });

  async function proxyThat(forwarding: Forwarding): Promise<{ proxy: ForwardProxy; address: string }> {
    const proxy = new ForwardProxy(forwarding);
    proxies.push(proxy);
    return { proxy, address: `http://ada:canary%40password@${await proxy.listen()}` };
  }

  async function hasAsked(proxy: ForwardProxy, times: number): Promise<void> {
    while (proxy.asked.length < times) await sleep(5);
  }

  const serverPort = (): number => Number(new URL(url).port);

  /** Runs a program in a process that trusts the authority; resolves with what it prints, when it has ended by itself. */
  async function printedBy(program: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn(process.execPath, ['-r', '@swc-node/register', path.join(__dirname, program), ...args], {
      env: { ...process.env, ...env, ...more, NODE_EXTRA_CA_CERTS: caFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(child.stdout);
  }

  it('sends over one connection through the proxy, which alone gets its password', async () => {
    const { proxy, address } = await proxyThat({ toPort: serverPort() });
    expect(await printedBy('partner-process.ts', [url, '', address])).toBe('"accepted"\n"accepted"\n');
    const basic = `Basic ${Buffer.from('ada:canary@password').toString('base64')}`;
    expect(proxy.asked).toEqual([[new URL(url).host, basic]]);
    expect(connections).toBe(1);
    expect(headers).toHaveLength(2);
    for (const each of headers) expect(each).not.toHaveProperty('proxy-authorization');
  }, 30_000);

  it.each<[string, Forwarding, RegExp]>([
    ['refuses the connection', { status: 403 }, /answered 403 to CONNECT, and must allow events\.invalid:443/],
    ['wants another password', { status: 407 }, /answered 407 to CONNECT, which means that its address needs a user/],
    ['never answers', 'hang', /not complete within 300 ms/],
  ])('says so when it %s', async (_, forwarding, message) => {
    const { address } = await proxyThat(forwarding);
    const client = await PodiumClient.open({
      ...{
        url: `https://${host}`,
        apiKey: 'k',
        platform: 'acme',
        timeoutMs: forwarding === 'hang' ? 300 : 10_000,
        proxy: address,
      },
    });
    const error: unknown = await client.send(partnerEvent('e')).catch((thrown: unknown) => thrown);
    await client.close();
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      retry: 'now',
      message: expect.stringMatching(message) as string,
    });
    expect(String(error)).not.toContain('canary');
  });

  it('ends each request by its own signal, and opens no more connections than requests may be under way', async () => {
    const { proxy, address } = await proxyThat('hang');
    const client = await PodiumClient.open({
      ...{ url: `https://${host}`, apiKey: 'k', platform: 'acme', timeoutMs: 1_500, proxy: address },
    });
    const first = new AbortController();
    const outcome = (id: string, signal?: AbortSignal): Promise<string> =>
      client.send(partnerEvent(id), signal).then(String, String);
    const outcomes = Array.from({ length: 17 }, (_, at) => outcome(`e-${at}`, at === 0 ? first.signal : undefined));
    await hasAsked(proxy, 16);
    first.abort();
    await hasAsked(proxy, 17);
    await Promise.all(outcomes);
    expect(proxy.asked).toHaveLength(17);
    expect(await outcomes[16]).toContain('not complete within 1500 ms');
    await client.close();
  }, 30_000);

  it('doctor uses the proxy of the environment, and so do questions of other commands', async () => {
    const { proxy, address } = await proxyThat({ toPort: serverPort() });
    const out = await printedBy('../src/command-line/main.ts', ['doctor', '--json', '--url', url], {
      HTTPS_PROXY: address,
    });
    const { findings } = JSON.parse(out) as { findings: { check: string; result: string; message: string }[] };
    expect(findings.slice(0, 3)).toMatchObject([
      { check: 'address', result: 'ok', message: expect.stringContaining('through the proxy 127.0.0.1') as string },
      { check: 'network', result: 'ok' },
      { check: 'certificate', result: 'ok' },
    ]);
    expect(out).not.toContain('canary');
    // One looks at the certificate, and one has the questions.
    expect(proxy.asked).toHaveLength(2);
    await printedBy('../src/command-line/main.ts', ['contract', '--url', url], { HTTPS_PROXY: address });
    expect(proxy.asked).toHaveLength(3);
  }, 30_000);

  it('doctor does not wait for ever for a connection that nothing comes through', async () => {
    const { address } = await proxyThat('swallow');
    const { out } = await runCommand(['doctor', '--json', '--url', url], { env: { ...env, HTTPS_PROXY: address } });
    const { findings } = JSON.parse(out) as { findings: object[] };
    expect(findings.at(-1)).toMatchObject({
      ...{
        check: 'certificate',
        result: 'problem',
        message: expect.stringContaining('no answer within 5 s') as string,
      },
    });
  }, 30_000);

  it('doctor names a proxy that does not let it pass', async () => {
    const { address } = await proxyThat({ status: 403 });
    const { code, out } = await runCommand(['doctor', '--json', '--url', url], {
      env: { ...env, HTTPS_PROXY: address },
    });
    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as { findings: object[] };
    expect(findings.at(-1)).toMatchObject({
      ...{ check: 'network', result: 'problem', message: expect.stringContaining('answered 403') as string },
      fix: expect.stringContaining('NO_PROXY') as string,
    });
    const wrong = await runCommand(['doctor', '--url', url], { env: { ...env, HTTPS_PROXY: 'socks5://x' } });
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('HTTPS_PROXY cannot be used') as string });
  });
});
