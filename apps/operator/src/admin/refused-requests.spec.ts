import { bodyErrors, edgeErrors, errorBody, errorCatalogue, type ErrorCode } from '@podium/messages';
import { once } from 'node:events';
import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const taskId = '0190a6f0-0000-7000-8000-000000000002';
const codes: readonly ErrorCode[] = [...edgeErrors, ...bodyErrors, 'conflict', 'unprocessable'];

const ofOtherServer = /^http_200: the response does not come from Podium \(status 200\)\nWhat to do: check --url/;

type Answer = readonly [status: number, body: object] | 'cut';

describe('requests of the command line that are refused', () => {
  const asked: string[] = [];
  let server: Server;
  let answers: Answer[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        asked.push(Buffer.concat(parts).toString());
        const answer = answers.shift() ?? 'cut';
        if (answer === 'cut') return void response.destroy();
        const [status, body] = answer;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void asked.splice(0));

  const refused = (code: ErrorCode): Answer => [errorCatalogue[code].status, errorBody(code)];
  const pay = (...ids: readonly number[]) => podium('tasks', 'unissued', 'pay', taskId, ...ids.map(String));
  const paid = (ids: readonly number[]) => ({ items: ids.map((id) => ({ id, issued: 1, left: 0, reason: null })) });

  it.each(codes)('with %s say what to do, which is to try again only where that can help', async (code) => {
    answers = [refused(code)];
    const { code: exit, err } = await podium('segments', 'show', taskId);
    expect([exit, err]).toEqual([1, expect.stringMatching(new RegExp(`^${code}: .*\nWhat to do: .`))]);
    expect([code, /again/.test(err.split('What to do: ')[1])]).toEqual([
      code,
      errorCatalogue[code].retry === 'now' || ['conflict', 'unprocessable'].includes(code),
    ]);
  });

  it.each([
    ['links', 'list'],
    ['integrations', 'checks', taskId],
    ['segments', 'previews', taskId, '--json'],
  ])('by another server that answers lists with JSON of its own say to check the address: %s %s', async (...args) => {
    for (const body of [{}, [], { items: 'none' }]) {
      answers = [[200, body]];
      expect(await podium(...args)).toEqual({ code: 1, out: '', err: expect.stringMatching(ofOtherServer) as string });
    }
  });

  it('say that a change may have been made, unless it was not sent', async () => {
    for (const answer of ['cut', refused('unavailable'), refused('internal_error')] as const) {
      answers = [answer];
      expect((await podium('tasks', 'pause', taskId)).err).toContain('may have been made');
      answers = [answer];
      expect((await podium('tasks', 'show', taskId)).err).not.toContain('may have been made');
    }
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { err } = await podium('--url', `http://127.0.0.1:${port}`, 'tasks', 'pause', taskId);
    expect(err).toMatch(/^unreachable: .*\nWhat to do: check --url/);
  });

  it('say why nothing was sent to a port that no client uses, and that no change was made', async () => {
    const { code, err } = await podium('--url', 'http://127.0.0.1:1', 'tasks', 'pause', taskId);
    expect([code, err]).toEqual([1, expect.stringMatching(/ does not answer \(bad port\)\nWhat to do: check --url/)]);
  });

  it('say where a redirect leads, and do not follow it', async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer(({ url }, response) => {
      seen.push(url);
      response.writeHead(308, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const { code, err } = await podium('--url', `http://127.0.0.1:${port}`, 'tasks', 'show', taskId);
    expect([code, seen]).toEqual([1, [`/admin/v1/tasks/${taskId}`]]);
    expect(err).toMatch(/^http_308: http:.* redirects to \/elsewhere\nWhat to do: give the address/);
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('show what earlier ones of the same command have paid', async () => {
    const ids = Array.from({ length: 150 }, (_, at) => at + 1);
    answers = [[200, paid(ids.slice(0, 100))], refused('conflict')];
    const { code, out, err } = await pay(...ids);
    expect(asked.map((body) => (JSON.parse(body) as { ids: number[] }).ids.length)).toEqual([100, 50]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^conflict: /)]);
    expect(out.split('\n').slice(0, 2)).toEqual(['ID   ISSUED  LEFT  REASON', '1    1       0     -']);
    expect(out.trimEnd().split('\n')).toHaveLength(101);
  });

  it('show what earlier ones of the same command have given', async () => {
    const rates = Array.from({ length: 101 }, (_, at) => ({ day: '2026-11-01', from: 'USD', to: `E${at}`, rate: '1' }));
    answers = [[200, { items: rates.slice(0, 100) }], refused('unprocessable')];
    const { code, out } = await podium('rates', 'give', 'acme-prizes', '--file', '-', JSON.stringify({ rates }));
    expect([code, out.trimEnd().split('\n').length]).toEqual([1, 101]);
  });

  it('say how another operator approves what is refused to the one who wrote it', async () => {
    answers = [refused('forbidden')];
    const { err } = await podium('tasks', 'publish', taskId);
    expect(err).toMatch(/\nWhat to do: .*another operator approves with --approver-token\.\n$/);
  });

  it('of a publication leave the draft, whose id is shown', async () => {
    answers = [[200, { task_id: taskId, version: 1 }], refused('forbidden')];
    const { code, out, err } = await podium('tasks', 'create', '--file', '-', '--publish', '{}');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      new RegExp(
        `^The draft ${taskId} was created: .* tasks publish ${taskId} --version 1 publishes it.*\nforbidden: `,
      ),
    );
  });

  it('for a moment do not end the wait for a contract that is published', async () => {
    const version = { version: 3, in_force_at: null };
    const inForce = { ...version, in_force_at: '2026-11-29T12:00:00.000Z' };
    answers = [[200, version], refused('unavailable'), 'cut', refused('rate_limited')];
    answers.push([200, { items: [inForce], next_cursor: null }]);
    const { code, out, err } = await podium('contracts', 'publish', taskId, '--file', '-', '--wait', '30', '{}');
    expect([code, err, answers]).toEqual([0, '', []]);
    expect(out).toContain('2026-11-29T12:00:00.000Z');
  });

  it('for good end that wait, and the number of the version is shown', async () => {
    answers = [[200, { version: 3, in_force_at: null }], refused('unauthorized')];
    const { code, err } = await podium('contracts', 'publish', taskId, '--file', '-', '--wait', '30', '{}');
    expect([code, err]).toEqual([1, expect.stringMatching(/^Version 3 was published: .*\nunauthorized: /)]);
  });

  /** The last argument is the input when it is JSON. */
  async function podium(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const { port } = server.address() as AddressInfo;
    const stdin = args.at(-1)?.startsWith('{') ? args.pop() : '';
    let [out, err] = ['', ''];
    const code = await runPodium(args, {
      env: { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'token' },
      readStdin: async () => stdin ?? '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});
