import { Server, createServer, request } from 'node:http';
import { AddressInfo } from 'node:net';
import { freshName } from '@podium/testing';
import { adminClient } from '../../../linkage/test/admin-client';
import { insertIntegration } from '../../../linkage/test/insert-integration';
import { LinkBrowser } from '../../../linkage/test/link-browser';
import { LiteralPartner } from '../../../linkage/test/literal-partner';
import { RunningLinkage, startLinkage } from '../../../linkage/test/running-linkage';
import { runPodium } from '../podium';

describe('the commands on linking with a partner', () => {
  const partner = new LiteralPartner();
  const platform = freshName('p');
  let linkage: RunningLinkage;
  let gateway: Server;
  let token: string;
  let integrationId: string;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    gateway = await startGateway(linkage);
    token = await linkage.operatorToken({ '*': 'admin' });
    integrationId = await insertIntegration(linkage.databaseUrl, { platform, displayName: 'Acme', partner });
    partner.tokenAnswer = { status: 401, body: { error: 'invalid_client' } };
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(integrationId, freshName('sub'));
    partner.tokenAnswer = null;
    for (const endMs = Date.now() + 10_000; Date.now() < endMs; await new Promise((done) => setTimeout(done, 100)))
      if ((await run(['integrations', 'exchanges', platform])).out.includes('invalid_client')) return;
  }, 60_000);

  afterAll(async () => {
    gateway?.close();
    await linkage?.stop();
    await partner.stop();
  });

  async function run(args: string[], onError: (text: string) => void = () => undefined) {
    let out = '';
    let err = '';
    const code = await runPodium(args, {
      env: { PODIUM_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, PODIUM_TOKEN: token },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => {
        err += text;
        onError(text);
      },
    });
    return { code, out, err };
  }

  it('partners shows failed exchanges with their reasons', async () => {
    const shown = await run(['partners', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject([
      { platform, linking: 'failing', failed_exchanges: 1, exchange_reasons: expect.any(String) as string },
    ]);
    expect((await run(['partners'])).out).toContain('exchange: rejected (invalid_client) 1');
  });

  it('linking shows the funnel and the requests, for people and machines', async () => {
    const people = await run(['integrations', 'linking', platform, '--hours', '48']);
    expect(people).toMatchObject({ code: 0, err: '' });
    expect(people.out).toMatch(/^\S+ is failing \(last 48 h\)/);
    expect(people.out).toMatch(/exchanged +0 +1 .*partner_refused \(invalid_client\) 1/);
    const machines = await run(['integrations', 'linking', platform, '--json']);
    expect(JSON.parse(machines.out)).toMatchObject({ platform, hours: 24, health: 'failing' });
    expect(await run(['integrations', 'linking', platform, '--hours', '721'])).toMatchObject({ code: 2 });
  });

  it('exchanges and refreshes are lists', async () => {
    const failed = await run(['integrations', 'exchanges', platform, '--failed', '--operation', 'exchange']);
    expect(failed.out).toMatch(/exchange +rejected +401 +invalid_client/);
    const [first] = JSON.parse((await run(['integrations', 'exchanges', platform, '--json'])).out) as unknown[];
    expect(first).toMatchObject({ request: { method: 'POST' }, response: { status: 401 } });
    expect((await run(['integrations', 'refreshes', platform])).out).toBe('None.\n');
  });

  it('test-link prints an address, waits, and succeeds or fails with the test', async () => {
    const browser = await LinkBrowser.of(linkage);
    const logIn = async (printed: string): Promise<void> => {
      const path = /\/connect\/test\?\S+/.exec(printed)?.[0] ?? '';
      const opening = await browser.confirmTest(path);
      const url = new URL((opening.headers.get('refresh') ?? '').slice('0;url='.length));
      await browser.get(await browser.atPartner(url, freshName('sub')));
    };
    const passed = await run(['integrations', 'test-link', platform, '--json'], (text) => {
      if (text.includes('/connect/test?')) void logIn(text);
    });
    expect(passed.code).toBe(0);
    expect(JSON.parse(passed.out)).toMatchObject({
      status: 'succeeded',
      result: { passed: ['returned', 'exchanged', 'identified', 'refreshed'], refreshable: true },
    });
    const nobody = await run(['integrations', 'test-link', platform, '--wait', '0']);
    expect(nobody.code).toBe(1);
    expect(nobody.err).toMatch(/has not succeeded: nobody opened its address within 0 s\. It is valid until \d{4}-/);
    const [, resultPath] = /is at GET (\S+) for about an hour/.exec(nobody.err) ?? [];
    const admin = await adminClient(linkage, { '*': 'admin' });
    expect((await admin.get((resultPath ?? '').replace('/admin/v1', ''))).json).toMatchObject({ status: 'waiting' });
    const opening = run(['integrations', 'test-link', platform, '--wait', '2'], (text) => {
      const path = /\/connect\/test\?\S+/.exec(text)?.[0];
      if (path !== undefined) void browser.confirmTest(path);
    });
    expect((await opening).err).toContain(
      'its address was opened, but the log-in at the partner has not ended within 2 s',
    );
  }, 30_000);
});

/** Answers the list of refusals, which is another service's, with an empty page. */
async function startGateway(linkage: RunningLinkage): Promise<Server> {
  const server = createServer((incoming, answer) => {
    if (incoming.url?.startsWith('/admin/v1/refusals'))
      return void answer.setHeader('content-type', 'application/json').end('{"items":[],"next_cursor":null}');
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
