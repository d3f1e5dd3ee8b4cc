import { errorBody } from '@podium/messages';
import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import operators from '../../../../docs/openapi/operators.json';
import { podiumProgram, runPodium } from '../podium';

const id = '0190a6f0-0000-7000-8000-000000000002';
const fields = Object.keys(operators.components.schemas.PublishDto.properties).sort();

/** An example of each option. */
const given = {
  version: ['--version', '3'],
  in_force_from: ['--in-force-from', '2026-12-01T00:00:00Z'],
  rewards_without_events: ['--rewards-without-events'],
  recount: ['--recount'],
  forecast_multiple: ['--forecast-multiple', '2.5'],
};

const environment = { readStdin: async () => '{}', out: () => undefined, err: () => undefined };

describe('publications from the command line', () => {
  const asked: { route: string; token: string; body: unknown }[] = [];
  let server: Server;
  let isRefused = false;
  let limit = {};

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
        const body = JSON.parse(Buffer.concat(parts).toString()) as unknown;
        asked.push({ route: `${request.method} ${request.url}`, token, body });
        if (isRefused) return void response.writeHead(401).end(JSON.stringify(errorBody('unauthorized')));
        response
          .setHeader('content-type', 'application/json')
          .end(
            JSON.stringify({ task_id: id, segment_id: id, version: 1, ended_at: '2026-12-01T00:10:00.000Z', ...limit }),
          );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void asked.splice(0));

  it('have an option for each field of the API; a segment has none of those of tasks', () => {
    expect(optionsOf('tasks')).toEqual(fields);
    expect(optionsOf('segments')).toEqual(['in_force_from', 'version']);
    expect(Object.keys(given).sort()).toEqual(fields);
  });

  it('say to the API what the options say', async () => {
    expect(await podium('tasks', 'publish', id, ...Object.values(given).flat())).toBe(0);
    const body = {
      ...{ version: 3, in_force_from: '2026-12-01T00:00:00Z', rewards_without_events: true, recount: true },
      forecast_multiple: 2.5,
    };
    expect(asked).toEqual([{ route: `POST /admin/v1/tasks/${id}/publish`, token: 'second', body }]);
    expect(Object.keys(body).sort()).toEqual(fields);
    expect(await podium('segments', 'publish', id, ...given.version)).toBe(0);
    expect(asked[1]).toMatchObject({ route: `POST /admin/v1/segments/${id}/publish`, body: { version: 3 } });
  });

  it.each(['tasks', 'segments'])('are over later than the end that an operator orders: %s says when', async (noun) => {
    const { port } = server.address() as AddressInfo;
    const env = { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'first' };
    let out = '';
    const code = await runPodium([noun, 'end', id], { ...environment, env, out: (text) => void (out += text) });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\nIt ends at 2026-12-01T00:10:00\.000Z, and goes on as before until then\.\n$/),
    ]);
  });

  it.each([
    [300, /^(?!.*the engine pauses)/s],
    [null, /\nIt has no number of awards a day above which the engine pauses it: .* max_per_day, or .* dry run/],
  ])('say when nothing limits what a task awards in a day: pauses_above %s', async (pauses_above, expected) => {
    limit = { pauses_above };
    const { port } = server.address() as AddressInfo;
    let out = '';
    const env = { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'first' };
    await runPodium(['tasks', 'publish', id], { ...environment, env, out: (text) => void (out += text) });
    expect(out).toMatch(expected);
  });

  it('name the variable of the token that is refused', async () => {
    isRefused = true;
    const refused = await Promise.all([
      podiumErrors({ PODIUM_APPROVER_TOKEN: 'second' }),
      podiumErrors({ PODIUM_APPROVER_TOKEN: '' }),
    ]);
    isRefused = false;
    expect(refused.map((text) => / by (\w+)\.$/m.exec(text)?.[1])).toEqual(['PODIUM_APPROVER_TOKEN', 'PODIUM_TOKEN']);
    expect(asked.map(({ token }) => token).sort()).toEqual(['first', 'second']);
  });

  it('may follow the creation at once, and are stated with it only then', async () => {
    const create = ['tasks', 'create', '--file', '-', ...given.in_force_from, ...given.rewards_without_events];
    expect(await podium(...create)).toBe(2);
    expect(asked).toEqual([]);
    expect(await podium(...create, '--publish')).toBe(0);
    expect(asked.map(({ route, body }) => [route, body])).toEqual([
      ['POST /admin/v1/tasks', {}],
      [
        `POST /admin/v1/tasks/${id}/publish`,
        { version: 1, in_force_from: '2026-12-01T00:00:00Z', rewards_without_events: true },
      ],
    ]);
  });

  async function podiumErrors(tokens: NodeJS.ProcessEnv): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const env = { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'first', ...tokens };
    let err = '';
    await runPodium(['tasks', 'publish', id], { ...environment, env, err: (text) => void (err += text) });
    return err;
  }

  function podium(...args: string[]): Promise<number> {
    const { port } = server.address() as AddressInfo;
    const env = { PODIUM_URL: `http://127.0.0.1:${port}`, PODIUM_TOKEN: 'first', PODIUM_APPROVER_TOKEN: 'second' };
    return runPodium(args, { ...environment, env });
  }
});

/** The options of `publish`, as the API's fields. */
function optionsOf(noun: 'tasks' | 'segments'): string[] {
  const group = podiumProgram({ ...environment, env: {} }).commands.find((command) => command.name() === noun);
  const publish = group?.commands.find((command) => command.name() === 'publish');
  return (publish?.options ?? []).map((option) => option.name().replaceAll('-', '_')).sort();
}
