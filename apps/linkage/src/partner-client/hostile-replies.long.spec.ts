import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { PartnerServer } from '@podium/simulated-partner';
import type { HeldResources, HostilePartner } from '../../test/hostile-replies-process';

/** After how many replies what is held is compared: code is compiled by the first of them. */
const [before, after] = [5_000, 15_000];
/** Of 10,000 replies: a leak of 200 bytes per reply would exceed it. */
const grownBytesMax = 2 * 1024 * 1024;
/** The runtime's own, which come and go. */
const grownDescriptorsMax = 2;
const redirectUri = 'http://127.0.0.1:9/callback';

describe('10,000 replies of every hostile kind', () => {
  const server = new PartnerServer();

  beforeAll(() => server.start());
  afterAll(() => server.stop());

  it('leave neither memory nor descriptors behind', async () => {
    const file = path.join(__dirname, '../../test/hostile-replies-process.ts');
    const execArgv = ['--expose-gc', '-r', '@swc-node/register'];
    const child = fork(file, [JSON.stringify(partnerOf(server)), `${before}`, `${after}`], { execArgv });
    const held: HeldResources[] = [];
    try {
      child.on('message', (each) => held.push(each as HeldResources));
      await once(child, 'exit');
    } finally {
      child.kill('SIGKILL');
    }
    expect(held.map(({ replies }) => replies)).toEqual([before, after]);
    const [first, last] = held;
    expect(server.seen.length).toBeGreaterThan(after * 0.95);
    expect(last.usable).toBeGreaterThan(before / 20);
    expect(last.heapBytes - first.heapBytes).toBeLessThan(grownBytesMax);
    expect(last.descriptors).toBeLessThanOrEqual(grownDescriptorsMax);
  }, 180_000);
});

/** A partner with a client and an account that has logged in. */
function partnerOf(server: PartnerServer): HostilePartner {
  const partner = server.of('hostile');
  const { client_id: clientId, client_secret: secret } = partner.client;
  partner.client.redirect_url = redirectUri;
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  const account = (partner.accounts.sub ??= { sub: 'sub', nickname: 'Nick' });
  const code = server.oauth.grant(partner, account, { redirect_uri: redirectUri }).get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const { access_token: accessToken } = server.oauth.token(partner, authorization, form);
  return { host: server.host, baseUrl: server.baseUrl('hostile'), clientId, authorization, redirectUri, accessToken };
}
