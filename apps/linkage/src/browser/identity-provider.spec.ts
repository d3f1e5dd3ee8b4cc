import net from 'node:net';
import tls from 'node:tls';
import { fixed } from '@podium/runtime/config';
import { TestIdp } from '../../test/test-idp';
import { linkageFields } from '../config';
import { IdentityProvider } from './identity-provider';

describe('IdentityProvider', () => {
  let idp: TestIdp;

  afterEach(() => idp.stop());

  async function started(path: string, endsSessions = true): Promise<void> {
    idp = new TestIdp(path, endsSessions);
    await idp.start();
  }

  function providerAt(entered: string, own: { loggedOutUri?: null } = {}): IdentityProvider {
    return new IdentityProvider({
      issuerUrl: linkageFields.OIDC_ISSUER_URL.parse(entered),
      clientId: 'podium',
      clientSecret: fixed('canary-secret-of-connect'),
      redirectUri: 'https://podium.example/connect/callback',
      loggedOutUri: 'https://podium.example/connect',
      plainHttp: true,
      ...own,
    });
  }

  it.each(['', '/', '/application/o/podium', '/application/o/podium/'])(
    'logs users in when the path of the issuer is "%s"',
    async (path) => {
      await started(path);
      const provider = providerAt(idp.issuer);
      const { url, pending } = await provider.begin();
      const { headers } = await fetch(url, { redirect: 'manual' });
      const { search } = new URL(headers.get('location') ?? '');
      expect(await provider.finish(search, pending)).toEqual({ userId: 'user-1', name: 'Maria Gómez' });
    },
  );

  it.each([true, false])('leads to the log-out of a provider that has one: %s', async (endsSessions) => {
    await started('/idp', endsSessions);
    const query = 'post_logout_redirect_uri=https%3A%2F%2Fpodium.example%2Fconnect&client_id=podium';
    expect(await providerAt(idp.issuer).logOutUrl()).toBe(endsSessions ? `${idp.issuer}/logout?${query}` : null);
    expect(await providerAt(idp.issuer, { loggedOutUri: null }).logOutUrl()).toBeNull();
  });

  it('leaves each address of the provider the time to answer, before the next takes its place', async () => {
    await started('');
    const connect = jest.spyOn(tls, 'connect').mockImplementation(() => {
      throw new Error('no connection');
    });
    await expect(providerAt('https://identity.example.com').begin()).rejects.toThrow();
    const [[options]] = connect.mock.calls as unknown as [[net.TcpSocketConnectOpts]];
    expect(options.autoSelectFamilyAttemptTimeout).toBeGreaterThan(1000);
    connect.mockRestore();
  });

  it('asks a provider again that could not be reached', async () => {
    await started('');
    const connect = jest.spyOn(tls, 'connect').mockImplementation(() => {
      throw new Error('no connection');
    });
    const provider = providerAt('https://identity.example.com');
    await expect(provider.begin()).rejects.toThrow();
    const asked = connect.mock.calls.length;
    await expect(provider.begin()).rejects.toThrow();
    expect(connect.mock.calls.length).toBeGreaterThan(asked);
    connect.mockRestore();
  });

  it('refuses the document of another issuer', async () => {
    await started('');
    const elsewhere = idp.issuer.replace('localhost', '127.0.0.1');
    await expect(providerAt(elsewhere).begin()).rejects.toThrow('the discovery document is that of another issuer');
  });
});
