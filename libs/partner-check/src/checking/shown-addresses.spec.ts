import { checkScripted, scriptedBaseUrl } from '../../test/scripted-server';

describe('addresses in a report', () => {
  it.each([
    ['control characters', `${scriptedBaseUrl}/revoke\u001b[2J`, null],
    ['more than 2,048 characters', `${scriptedBaseUrl}/${'r'.repeat(2048)}`, null],
    ['a path that leads to another server', `${scriptedBaseUrl}.evil.example/revoke`, null],
    ['nothing unusual', `${scriptedBaseUrl}/a/../revoke`, `${scriptedBaseUrl}/revoke`],
  ])('names a revocation endpoint with %s', async (_, revocation, shown) => {
    const { report } = await checkScripted({
      metadata: { authorization_endpoint: `${scriptedBaseUrl}/authorize`, revocation_endpoint: revocation },
    });
    const { revocation_url: seen } = report.profile;
    expect(seen.observed ? seen.value : null).toBe(shown);
  });

  it('shows no session in the path of a redirect', async () => {
    const { report } = await checkScripted({
      page: () => ({ status: 302, headers: { location: `${scriptedBaseUrl}/login;jsessionid=canary` } }),
    });
    const [page] = report.exchanges.filter(({ purpose }) => purpose.startsWith('The authorization page, as'));
    expect(page.received).toContain(`location: ${scriptedBaseUrl}/login/…`);
    expect(JSON.stringify(report)).not.toContain('canary');
  });

  it('shows no password and no value of the query of the authorization page', async () => {
    const { report } = await checkScripted({
      authorizationUrl: 'https://user:canary-1@shop.example/authorize?tenant_key=canary-2',
    });
    expect(report.authorization_url).toBe(`${scriptedBaseUrl}/authorize?tenant_key=…`);
    expect(JSON.stringify(report)).not.toContain('canary');
  });
});
