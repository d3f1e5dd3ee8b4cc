import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { DefinitionsApi, startDefinitionsApi } from '../../../engagement/test/definitions-api';
import { runPodium } from '../podium';

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('the commands of rates', () => {
  let api: DefinitionsApi;
  let server: Server;

  beforeAll(async () => {
    api = await startDefinitionsApi();
    server = serve(api);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server?.close();
    await api?.stop();
  });

  it('give, list and approve a rate, and show who did it', async () => {
    const given = await podium(['rates', 'give', 'organizer-1', yesterday, 'USD', 'EUR', '0.92']);
    expect(given).toMatchObject({ code: 0, err: '' });
    expect((await podium(['rates', 'list', '--organizer', 'organizer-1', '--state', 'given'])).out).toContain(
      yesterday,
    );
    const approved = await podium(['rates', 'approve', 'organizer-1', yesterday, 'USD', 'EUR', '0.92', '--json']);
    expect(JSON.parse(approved.out)).toMatchObject([{ state: 'approved', approved_by: 'second' }]);
    const audit = await podium(['rates', 'audit', 'organizer-1']);
    expect(audit.out).toMatch(/second +rates\.approved.*\n.*first +rates\.given/);
  });

  it('take many rates from a file', async () => {
    const days = Array.from({ length: 150 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
    const rates = days.map((day) => ({ day, from: 'GBP', to: 'EUR', rate: '1.1' }));
    const stdin = JSON.stringify({ rates });
    const given = await podium(['rates', 'give', 'organizer-1', '--file', '-', '--json'], stdin);
    expect(JSON.parse(given.out)).toHaveLength(150);
  });

  it.each([
    [['rates', 'give', 'organizer-1', yesterday, 'USD'], 'State <day> <from> <to> <rate>, or --file'],
    [['rates', 'give', 'organizer-1', yesterday, 'USD', 'EUR', '1', '--file', '-'], 'State one rate or --file'],
    [['rates', 'approve', 'organizer-1', '--file', '-'], 'a list "rates" of at least one rate'],
  ])('refuse %j', async (args, message) => {
    expect(await podium(args, '{"rates":[]}')).toMatchObject({
      code: 2,
      err: expect.stringContaining(message) as string,
    });
  });

  async function podium(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
    const { port } = server.address() as AddressInfo;
    let out = '';
    let err = '';
    const code = await runPodium(args, {
      env: { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'first', PODIUM_APPROVER_TOKEN: 'second' },
      readStdin: async () => stdin,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});

/** The API behind a server; the token names the operator. */
function serve(api: DefinitionsApi): Server {
  return createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const method = request.method === 'POST' ? 'POST' : 'GET';
      const route = request.url?.replace('/admin/v1', '') ?? '';
      const operator = request.headers.authorization?.replace('Bearer ', '');
      const body = text === '' ? undefined : (JSON.parse(text) as object);
      void api.call(method, route, body, undefined, operator).then(({ status, json }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      });
    });
  });
}
