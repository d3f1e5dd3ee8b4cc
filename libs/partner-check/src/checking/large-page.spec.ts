import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PartnerServer } from '@podium/simulated-partner';
import { checkServer, codesOf, redirectUri } from '../../test/check-server';

/** A log-in page that is larger than what Podium reads of an answer. */
const page = Buffer.from(`<style>${'x'.repeat(70_000)}</style><form method="post"><button>Log in</button></form>`);

describe('the check of an authorization page that only browsers read', () => {
  const partner = new PartnerServer();
  /** A page at each path, whose form leads to the partner's own page. */
  const pages = createServer(({ method, url }, response) => {
    const { pathname, search } = new URL(url ?? '', redirectUri);
    if (pathname === '/refused') return void response.writeHead(500).end(page);
    if (method === 'POST')
      return void response.writeHead(303, { location: `${partner.baseUrl('pages')}/authorize${search}` }).end();
    const [body, encoding] = pathname === '/gzip' ? [gzipSync(page), 'gzip'] : [page, 'identity'];
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(body);
  });

  beforeAll(async () => {
    await partner.start();
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => pages.close(resolve));
    await partner.stop();
  });

  const check = (path: string): ReturnType<typeof checkServer> => {
    const { client } = partner.of('pages');
    client.redirect_url = redirectUri;
    return checkServer({
      authorizationUrl: `http://127.0.0.1:${(pages.address() as AddressInfo).port}${path}`,
      baseUrl: partner.baseUrl('pages'),
      ...{ clientId: client.client_id, clientSecret: client.client_secret },
    });
  };

  it.each([
    ['larger than 64 KB', '/large'],
    ['compressed although identity was requested', '/gzip'],
  ])('goes on to the log-ins when it is %s', async (_, path) => {
    const report = await check(path);
    expect(report).toMatchObject({ verdict: 'links', profile: { pkce: { observed: true, value: true } } });
    expect(codesOf(report)).not.toContain('authorization_page_unreachable');
    expect(report.log_ins).toBeGreaterThan(0);
  });

  it('does not take one with an error status for a page that accepts the request', async () => {
    const { verdict, cases } = await check('/refused');
    const { outcome } = cases.find(({ id }) => id === 'authorization_page') ?? {};
    expect([verdict, outcome]).toEqual(['not_finished', 'not_observed']);
  });
});
