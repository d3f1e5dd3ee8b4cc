import { errorBody } from '@podium/messages';
import { Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { runPodium } from '../podium';

const taskId = '0190a6f0-0000-7000-8000-000000000002';
const runId = '0190a6f0-0000-7000-8000-00000000000a';

/** Answers one request. */
type Reply = (response: ServerResponse) => void;

const line = (user: string): string => `${JSON.stringify({ user_id: user, cursor: `after-${user}` })}\n`;

describe('exports', () => {
  const asked: string[] = [];
  let server: Server;
  let replies: Reply[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      replies.shift()!(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void asked.splice(0));

  it.each([
    [['segments', 'members-export', taskId], `segments/${taskId}/members/export`],
    [['tasks', 'progress-export', taskId], `tasks/${taskId}/progress/export`],
    [['tasks', 'awards-export', taskId, '--cursor', 'c'], `tasks/${taskId}/awards/export?cursor=c`],
    [
      ['tasks', 'dry-run-awards-export', taskId, runId, '--published'],
      `tasks/${taskId}/dry-runs/${runId}/awards/export?side=published`,
    ],
  ])('%j prints every item on a line, and not what shows that it goes on', async (args, path) => {
    replies = [whole(line('ann'), '\n', '{"cursor":"nobody"}\n', line('bob'))];
    expect(await run(...args)).toEqual({ code: 0, out: line('ann') + line('bob'), err: '' });
    expect(asked).toEqual([`GET /admin/v1/${path}`]);
  });

  it('go on after the last whole line when the connection breaks, and print no item twice', async () => {
    replies = [broken(line('ann'), '{"cursor":"nobody"}\n', '{"user_id":"bo'), whole(line('bob'))];
    expect(await run('segments', 'members-export', taskId)).toEqual({
      code: 0,
      out: line('ann') + line('bob'),
      err: '',
    });
    expect(asked.at(-1)).toBe(`GET /admin/v1/segments/${taskId}/members/export?cursor=nobody`);
  });

  it('wait as long as the API says while too many run, and say so', async () => {
    replies = [refused(429, '2'), refused(429), whole(line('bob'))];
    const startMs = performance.now();
    const err = [2, 1].map(
      (seconds) => `Too many exports or requests at once (rate_limited); trying again in ${seconds} s.\n`,
    );
    expect(await run('segments', 'members-export', taskId)).toEqual({ code: 0, out: line('bob'), err: err.join('') });
    expect(performance.now() - startMs).toBeGreaterThan(2_950);
  });

  it('say once that they try again when the API fails twice without an item between', async () => {
    replies = [refused(503), refused(503), refused(503), broken(line('ann')), refused(503), whole(line('bob'))];
    const { code, out, err } = await run('tasks', 'progress-export', taskId);
    expect({ code, out }).toEqual({ code: 0, out: line('ann') + line('bob') });
    expect(err.match(/.*trying again.*\n/g)).toEqual([
      expect.stringMatching(/^unavailable: .+; trying again for up to 120 s\.\n$/),
      expect.stringMatching(/^unavailable: /),
    ]);
  });

  it.each([
    ['a page', '<html>\n<h1>Maintenance</h1>\n</html>\n'],
    ['a page without line feeds', '<html><h1>Maintenance</h1></html>'],
    ['JSON without a cursor', '{"ok":true}\n'],
    ['nothing', ''],
  ])('that are answered with %s by a proxy fail at once', async (_label, page) => {
    replies = [broken(line('ann')), whole(page)];
    const { code, out, err } = await run('tasks', 'progress-export', taskId);
    expect({ code, out }).toEqual({ code: 1, out: line('ann') });
    expect(err).toMatch(
      /--cursor after-ann continues it\.\nhttp_200: the response does not come from Podium \(status 200\)/,
    );
  });

  it('go on when a proxy ends a response within a line', async () => {
    replies = [whole(line('ann'), '{"user_id":"bo'), whole(line('bob'))];
    expect(await run('tasks', 'awards-export', taskId)).toMatchObject({ code: 0, out: line('ann') + line('bob') });
  });

  it('from a cursor that is none fail, and do not say that it continues them', async () => {
    replies = [refused(400)];
    const { code, err } = await run('tasks', 'progress-export', taskId, '--cursor', 'none');
    expect([code, err]).toEqual([1, expect.stringMatching(/^The export is not complete\.\ninvalid_request: /)]);
  });

  it('that are refused fail, and say how to continue', async () => {
    replies = [broken(line('ann')), refused(404)];
    const { code, out, err } = await run('tasks', 'progress-export', taskId);
    expect({ code, out }).toEqual({ code: 1, out: line('ann') });
    expect(err).toMatch(/^The export is not complete; --cursor after-ann continues it\.\nnot_found: /);
  });

  function whole(...parts: string[]): Reply {
    return (response) => response.setHeader('content-type', 'application/x-ndjson').end(parts.join(''));
  }

  /** The connection breaks after these parts. */
  function broken(...parts: string[]): Reply {
    return (response) => void response.write(parts.join(''), () => setTimeout(() => response.destroy(), 50));
  }

  function refused(status: 400 | 404 | 429 | 503, retryAfter?: string): Reply {
    return (response) => {
      response.statusCode = status;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      const code = ({ 400: 'invalid_request', 404: 'not_found', 429: 'rate_limited', 503: 'unavailable' } as const)[
        status
      ];
      response.setHeader('content-type', 'application/json').end(JSON.stringify(errorBody(code)));
    };
  }

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runPodium(args, {
      env: { PODIUM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PODIUM_TOKEN: 'token' },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});
