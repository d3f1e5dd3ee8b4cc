import { errorBody } from '@podium/messages';
import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { Api } from '../cli/admin-api';
import { runPodium } from '../podium';

const taskId = '0190a6f0-0000-7000-8000-000000000002';
const runId = '0190a6f0-0000-7000-8000-00000000000a';
const ordered = {
  dry_run_id: runId,
  preview_id: runId,
  state: 'waiting',
  finished_at: null,
  users_total: null,
  users_done: 0,
};
const sums = { version: 2, awards: 3, cost: '15', budget_ended_on: '2026-10-03' };
const day = { day: '2026-10-01', awards: 3, cost: '15', paid: '10', withheld: 1 };
const done = {
  ...{ dry_run_id: runId, state: 'finished', finished_at: '2026-11-20T12:00:00Z', users_total: 9, users_done: 9 },
  draft: { ...sums, days: [day] },
  published: null,
};

describe('commands of previews and dry runs', () => {
  const asked: string[] = [];
  let server: Server;
  let end: object = done;
  /** So many reads are answered as by a gateway whose service restarts, or not at all. */
  let outages: ('401' | '404' | '503' | 'cut')[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`.trim());
        const outage = request.method === 'GET' ? outages.shift() : undefined;
        if (outage === 'cut') return void response.destroy();
        response.statusCode = outage ? Number(outage) : 200;
        const answer = outage
          ? errorBody(({ '401': 'unauthorized', '404': 'not_found', '503': 'unavailable' } as const)[outage])
          : request.method === 'GET'
            ? end
            : ordered;
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void asked.splice(0));

  it('list the awards of a dry run with what each pays', async () => {
    const reward = { type: 'money', amount: '5.00', currency: 'EUR' };
    end = { items: [{ user_id: 'ann', occurrence: 'g1:once', reward, withheld: 'budget_day' }], next_cursor: null };
    const { out } = await run('tasks', 'dry-run-awards', taskId, runId);
    expect(out).toMatch(/ ann +- +g1:once +money 5\.00 EUR +budget_day\n/);
  });

  it('order a dry run, wait for its end and show its costs day by day', async () => {
    end = done;
    const { code, out } = await run('tasks', 'dry-run', taskId, '--from', '2026-10-01T00:00:00Z', '--to', 'now');
    expect(code).toBe(0);
    expect(asked).toEqual([
      `POST /admin/v1/tasks/${taskId}/dry-runs {"from":"2026-10-01T00:00:00Z","to":"now"}`,
      `GET /admin/v1/tasks/${taskId}/dry-runs/${runId}`,
    ]);
    expect(out).toMatch(/Draft\nversion +2\nawards +3\ncost +15\nbudget_ended_on +2026-10-03/);
    expect(out).toMatch(/DAY +AWARDS +COST +PAID +WITHHELD\n2026-10-01 +3 +15 +10 +1/);
  });

  it('wait on while the API does not answer for a moment, and end with its error when it does not answer any more', async () => {
    end = done;
    outages = ['503', 'cut'];
    const dates = ['--from', '2026-10-01T00:00:00Z', '--to', 'now'];
    expect((await run('tasks', 'dry-run', taskId, ...dates)).code).toBe(0);
    expect(asked.filter((request) => request.startsWith('GET'))).toHaveLength(3);
    await expect(new Api(address(), 'token').poll('/x', 0)).resolves.toBeDefined();
    outages = ['503'];
    await expect(new Api(address(), 'token').poll('/x', 0)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('do not wait when they are told so, and say what to read when it was given up', async () => {
    expect(await run('segments', 'preview', taskId, '--version', '2', '--no-wait', '--json')).toMatchObject({
      code: 0,
    });
    expect(asked).toEqual([`POST /admin/v1/segments/${taskId}/previews {"version":2}`]);
    end = { ...done, state: 'failed' };
    const { code, err } = await run('tasks', 'dry-run', taskId, '--from', 'a', '--to', 'b');
    expect(code).not.toBe(0);
    expect(err).toContain('given up');
  });

  it('fail when another operator cancels it, and then show no result', async () => {
    end = { ...done, state: 'cancelled' };
    const { code, out, err } = await run('tasks', 'dry-run', taskId, '--from', 'a', '--to', 'b', '--json');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/cancelled: It was cancelled by an operator\.\nWhat to do: order it again/);
  });

  it('say how to find what they have ordered when they can wait no longer, as with a token that has expired', async () => {
    outages = ['401'];
    const { code, err } = await run('segments', 'preview', taskId);
    expect(code).toBe(1);
    expect(err).toMatch(/It goes on: npm run podium -- segments preview-show \S+ \S+ shows it\.\nunauthorized: /);
    expect(err).toContain('give it by PODIUM_TOKEN.');
  });

  it('do not say that it goes on when it does not exist any more', async () => {
    outages = ['404'];
    const { code, err } = await run('segments', 'preview', taskId);
    expect(code).toBe(1);
    expect(err).toMatch(/^not_found: /);
  });

  it('show one that was ordered before, as the command that waits does, and the users whom it did not evaluate', async () => {
    end = done;
    const { code, out } = await run('tasks', 'dry-run-show', taskId, runId);
    expect(code).toBe(0);
    expect(out).toMatch(/DAY +AWARDS +COST +PAID +WITHHELD\n2026-10-01 +3 +15 +10 +1/);
    const comparison = { path: 'condition', value: '3', target: '2', holds: true };
    end = { preview_id: runId, state: 'finished', members: 1, sample: [{ user_id: 'ann', comparisons: [comparison] }] };
    expect((await run('segments', 'preview-show', taskId, runId)).out).toMatch(
      /USER_ID +REASONS\nann +condition 3\/2 true/,
    );
    end = { items: [{ user_id: 'bob', name: 'deposit', month: '2026-10' }], next_cursor: null };
    expect((await run('segments', 'preview-capped', taskId, runId)).out).toMatch(
      /USER_ID +NAME +MONTH\nbob +deposit +2026-10/,
    );
    await run('tasks', 'dry-run-capped', taskId, runId, '--max', '1');
    expect(asked).toEqual([
      `GET /admin/v1/tasks/${taskId}/dry-runs/${runId}`,
      `GET /admin/v1/segments/${taskId}/previews/${runId}`,
      `GET /admin/v1/segments/${taskId}/previews/${runId}/capped?limit=100`,
      `GET /admin/v1/tasks/${taskId}/dry-runs/${runId}/capped?limit=1`,
    ]);
  });

  function address(): string {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runPodium(args, {
      env: { PODIUM_URL: address(), PODIUM_TOKEN: 'token' },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});
