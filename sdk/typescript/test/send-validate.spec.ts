import * as fs from 'node:fs';
import * as path from 'node:path';
import { CommandRun, EdgeAnswer, ScriptedEdge, refusal, runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const attributes = [{ name: 'amount', value: '25.00' }];
const eventOf = (id: unknown): object => ({ id, name: 'deposit', created_at: 1_767_225_600, attributes });

interface SentBody {
  platform?: string;
  platform_user_id?: string;
  event?: { id?: string; created_at?: number; attributes?: object[] };
}

describe('podium-partner send and validate', () => {
  const edge = new ScriptedEdge();
  let url: string;
  let folder: string;
  let answers: EdgeAnswer[];

  beforeAll(async () => {
    url = await edge.listen();
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    edge.requests.length = 0;
    answers = [];
    folder = folderOf();
    edge.answer = ({ path: asked, body }) => {
      const headers = { 'ratelimit-limit': '1000, 1000;w=1' };
      if (asked === '/cdp/v1/contract') return { status: 200, headers, body: { platform: 'acme' } };
      const scripted = answers.shift();
      if (scripted) return scripted;
      if (asked.endsWith('/validate')) return { status: 200, headers, body: reportOf(body) };
      const { event } = JSON.parse(body) as SentBody;
      return {
        status: 200,
        headers,
        body: { outcome: 'accepted', event_id: event?.id, dropped_attributes: ['x\u001b'] },
      };
    };
  });

  /** As Podium reports: every problem of a body, which may be any text. */
  function reportOf(body: string): object {
    const problem = (field: string): object => ({
      code: 'invalid_request',
      message: `bad ${field}`,
      retry: 'never',
      field,
    });
    let problems = [problem('')];
    try {
      const { platform, event } = JSON.parse(body) as SentBody;
      problems = [...(platform === 'acme' ? [] : [problem('platform')]), ...(event?.id ? [] : [problem('event.id')])];
    } catch {
      // Not JSON.
    }
    return { valid: problems.length === 0, duplicate: false, problems, dropped_attributes: [] };
  }

  const run = (args: string[], stdin?: string): Promise<CommandRun> =>
    runCommand([...args, '--url', url], { env: { PODIUM_EVENT_KEY: 'canary-key' }, stdin });
  const file = (name: string, text: string): string => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const bodies = (): SentBody[] =>
    edge.requests.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body) as SentBody);

  it('send takes an event from options, and the platform from the key', async () => {
    const sent = await run(
      ['send', '--id', 'd-1', '--user', 'u-1', '--name', 'deposit', '--created-at', '2026-01-01T00:00:00Z'].concat([
        ...['--attribute', 'amount=25.00', '--attribute', 'note=a=b'],
      ]),
    );
    expect(sent).toEqual({ code: 0, err: '', out: 'accepted d-1\nNot negotiated and left out: x\ufffd\n' });
    expect(bodies()).toEqual([
      {
        ...{ platform: 'acme', platform_user_id: 'u-1' },
        event: { ...eventOf('d-1'), attributes: [...attributes, { name: 'note', value: 'a=b' }] },
      },
    ]);
    expect((await run(['send', '--id', 'd-1', '--user', 'u-1'])).code).toBe(2);
    expect((await run(['send', '--id', 'a', '--user', 'u', '--name', 'n', '--created-at', 'now'])).code).toBe(2);
  });

  it('send takes a file or the standard input as it is, and adds a platform that is missing', async () => {
    const text = `{ "platform": "acme", "platform_user_id": "u", "event": ${JSON.stringify(eventOf('d-2'))} }`;
    expect((await run(['send', file('e.json', text)])).code).toBe(0);
    expect(edge.requests.map(({ body }) => body)).toEqual([text]);
    const json = await run(['send', '-', '--json'], JSON.stringify({ platform_user_id: 'u', event: eventOf('d-3') }));
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'accepted', event_id: 'd-3' });
    expect(bodies().at(-1)).toMatchObject({ platform: 'acme', event: { id: 'd-3' } });
    const ownField = { platform_user_id: 'u', event: { ...eventOf('d-4'), device: { platform: 'ios' } } };
    expect((await run(['send', '-'], JSON.stringify(ownField))).code).toBe(0);
    expect(bodies().at(-1)).toEqual({ ...ownField, platform: 'acme' });
    expect((await run(['send', '-'], '{')).code).toBe(2);
    expect((await run(['send', path.join(folder, 'none')])).code).toBe(2);
    expect(await run(['send', folder])).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
  });

  it.each<[number, string, string, number]>([
    [400, 'invalid_request', 'never', 1],
    [404, 'user_not_linked', 'later', 4],
    [422, 'event_not_negotiated', 'later', 4],
    [401, 'unauthorized', 'pause', 5],
    [403, 'integration_paused', 'pause', 5],
  ])('send ends for %i %s with class %s and code %i', async (status, code, retry, exitCode) => {
    answers = [{ status, body: refusal(code, retry) }];
    const event = JSON.stringify({ platform: 'acme', platform_user_id: 'u', event: eventOf('d') });
    const { err, ...rest } = await run(['send', '-'], event);
    expect(rest).toEqual({ code: exitCode, out: '' });
    expect(err).toContain(`${code}: The sentence of ${code}.\n${url}/docs/errors#${code}\nRequest id: request-7`);
    expect(err).toContain(`Retry class: ${retry}. `);
    answers = [{ status, body: refusal(code, retry) }];
    const json = JSON.parse((await run(['send', '-', '--json'], event)).out) as object;
    expect(json).toMatchObject({ status, error: { code, retry, fix: expect.any(String) } });
  });

  it('send tries again while Podium is not available', async () => {
    answers = [
      { status: 503, headers: { 'retry-after': '0' }, body: refusal('unavailable', 'now') },
      { status: 200, body: '<html>a proxy' },
    ];
    const event = JSON.stringify({ platform: 'acme', platform_user_id: 'u', event: eventOf('d') });
    expect(await run(['send', '-'], event)).toMatchObject({ code: 0, err: expect.stringContaining('Trying again') });
  }, 20_000);

  it('lets no text of an answer move the cursor, or turn a line around', async () => {
    const message = 'no \u001b[2J \u009b1A \u202e id';
    answers = [
      { status: 503, headers: { 'retry-after': '0' }, body: { error: { code: 'unavailable', retry: 'now', message } } },
      { status: 400, body: { error: { code: 'invalid_request', retry: 'never', message } } },
    ];
    const event = JSON.stringify({ platform: 'acme', platform_user_id: 'u', event: eventOf('d') });
    const { code, err } = await run(['send', '-'], event);
    expect(code).toBe(1);
    const shown = 'no \ufffd[2J \ufffd1A \ufffd id';
    expect(err).toContain(`${shown} Trying again in `);
    expect(err).toContain(`invalid_request: ${shown}\n`);
    expect(err).not.toMatch(/[\u001b\u009b\u202e]/);
  }, 20_000);

  it('validate names every problem with line, field, code and page', async () => {
    const lines = [eventOf('a'), eventOf(undefined), eventOf('c')].map((event) =>
      JSON.stringify({ platform: 'acme', event }),
    );
    const events = file('e.ndjson', [lines[0], '', lines[1], 'no json', lines[2], ''].join('\n'));
    const checked = await run(['validate', events]);
    expect(checked).toMatchObject({ code: 1, err: '' });
    expect(checked.out).toBe(
      `${events}:3 event.id: bad event.id (invalid_request, ${url}/docs/errors#invalid_request)\n` +
        `${events}:4: bad  (invalid_request, ${url}/docs/errors#invalid_request)\n4 events, 2 not valid\n`,
    );
    const json = (await run(['validate', events, '--json'])).out.trim().split('\n');
    expect(json.map((line) => JSON.parse(line) as object)).toMatchObject([
      ...[
        { line: 1, valid: true },
        { line: 3, valid: false },
        { line: 4, valid: false },
        { line: 5, valid: true },
      ],
    ]);
  });

  it('validate takes a document, a list, the standard input and columns', async () => {
    const event = { platform_user_id: 'u', event: eventOf('a') };
    expect((await run(['validate', file('one.json', JSON.stringify(event, null, 2))])).code).toBe(0);
    const list = file('list.json', JSON.stringify([event, { event: {} }]));
    expect(await run(['validate', list])).toMatchObject({
      code: 1,
      out: expect.stringContaining('list.json[1] event.id'),
    });
    const two = `${JSON.stringify(event)}\n${JSON.stringify(event)}\n`;
    expect(await run(['validate', '-'], two)).toMatchObject({ code: 0, out: '2 events, 0 not valid\n' });
    const csv = file('e.csv', 'no,user,paid,amount,note\nd-1,u,2026-01-01T00:00:00Z,25.00,x\nd-2,u,soon,1,x\nd-3,u\n');
    const mapped = [
      '--map',
      'id=no',
      '--map',
      'platform_user_id=user',
      '--map',
      'created_at=paid',
      '--set',
      'name=deposit',
    ];
    const checked = await run(['validate', csv, ...mapped, '--skip-columns', 'note']);
    expect(checked.out).toContain('e.csv:3 event.created_at: created_at is neither Unix seconds');
    expect(checked.out).toContain('e.csv:4: The record has 2 fields; the first line has 5.');
    expect(checked.code).toBe(1);
    expect(bodies().at(-1)).toEqual({ platform: 'acme', platform_user_id: 'u', event: eventOf('d-1') });
    expect(await run(['validate', csv])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--map platform_user_id='),
    });
    expect((await run(['validate', csv, ...mapped, '--map', 'id=none'])).code).toBe(2);
    const german = file('german.csv', 'id;platform_user_id;name;created_at\nd-1;u;deposit;1767225600\n');
    expect(await run(['validate', german])).toMatchObject({
      code: 2,
      err: 'The first line separates the columns by semicolons: export the file again, separated by commas.\n',
    });
  });

  it('validate derives the same id from the same content, and another from other content', async () => {
    const record = { platform: 'acme', platform_user_id: 'u', event: { ...eventOf(undefined) } };
    const swapped = { event: { attributes, created_at: 1_767_225_600, name: 'deposit' }, ...{ platform_user_id: 'u' } };
    const other = { ...record, platform_user_id: 'v' };
    const events = file('e.ndjson', [record, swapped, other].map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect((await run(['validate', events, '--derive-ids'])).code).toBe(0);
    const ids = bodies().map(({ event }) => event?.id);
    expect(ids[0]).toMatch(/^derived-[0-9a-f]{40}$/);
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false]);
  });

  it('validate ends when the key is refused', async () => {
    answers = [{ status: 401, body: refusal('unauthorized', 'pause') }];
    const checked = await run(['validate', '-'], JSON.stringify({ event: eventOf('a') }));
    expect(checked).toMatchObject({ code: 3, err: expect.stringContaining('Not finished') });
  });
});
