import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { edgeStatus, instanceStatuses } from './instances';

describe('the status of addresses', () => {
  const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
    'POST /cdp/v1/users/events/send': [401, '{}'],
    'GET /waiting/health/ready': [503, '{"reasons":["key views have caught up","drains"]}'],
    'GET /proxy/health/ready': [502, '<html>Bad Gateway</html>'],
    'GET /other/health/ready': [404, 'null'],
  };
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [status, body] = answers[`${request.method} ${request.url}`] ?? [404, ''];
      response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each(['', '/', '//'])('of the gateway is known with %j at the end of its address', async (end) => {
    expect(await edgeStatus(`${url}${end}`)).toMatchObject({ part: 'edge', state: 'ok' });
  });

  it.each([
    ['waiting', 'not ready: key views have caught up, drains'],
    ['proxy', 'not ready: URL/proxy answers 502'],
    ['other', 'not ready: URL/other answers 404'],
  ])('of an instance says why it is not ready: %s', async (name, detail) => {
    expect(await instanceStatuses(new Map([[name, `${url}/${name}`]]))).toEqual([
      { part: name, state: 'attention', detail: detail.replace('URL', url) },
    ]);
  });
});
