import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const taskId = '0190a6f0-0000-7000-8000-000000000002';

describe('decisions on what was not issued', () => {
  let server: Server;
  let items: readonly object[] = [];

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ items }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['pay', [{ id: 17, issued: 3, left: 0, reason: null }]],
    ['refuse', [{ id: 17, refused: 3, reason: null }]],
    ['refuse', [{ id: 17, refused: 0, reason: 'refused' }]],
  ])('%s ends with 0 when %j', async (verb, answer) => {
    items = answer;
    expect(await podium(verb, '17')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['pay', [{ id: 17, issued: 0, left: 0, reason: 'unknown' }], '1 of 1 rows was not paid as a whole'],
    ['pay', [{ id: 17, issued: 2, left: 1, reason: 'budget_total' }], '1 of 1 rows was not paid as a whole'],
    [
      'refuse',
      [17, 18].map((id) => ({ id, refused: 0, reason: 'unknown' })),
      '2 of 2 rows were not refused as a whole',
    ],
  ])('%s ends with 1 when %j, which it shows', async (verb, answer, message) => {
    items = answer;
    const { code, out, err } = await podium(verb, '17', '18');
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(out).toMatch(/^ID .*REASON\n17 .*(unknown|budget_total)\n/);
  });

  async function podium(verb: string, ...ids: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const { port } = server.address() as AddressInfo;
    const code = await runPodium(['tasks', 'unissued', verb, taskId, ...ids], {
      env: { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'token' },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});
