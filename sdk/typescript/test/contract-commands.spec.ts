import { readFileSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { AddressInfo } from 'node:net';
import * as path from 'node:path';
import * as ts from 'typescript';
import { Terminal, runPartnerProgram } from '../src/command-line/partner-program';
import { pythonTypes } from '../src/command-line/types-of-contract';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const attribute = (name: string, type: string, more = {}): object => ({ name, type, ...more });
const money = { non_negative: true, currency_attribute: 'currency', currencies: ['EUR', 'USD'] };
const inForce = {
  version: 3,
  in_force_from: '2026-01-31T12:00:00.000Z',
  events: [
    {
      ...{ name: 'deposit', kind: 'repeatable', schema: {} },
      attributes: [
        attribute('amount', 'decimal', money),
        attribute('currency', 'currency'),
        attribute('first', 'boolean'),
      ],
    },
    { name: 'KYC passed */ "x"', kind: 'one_off', attributes: [], schema: {} },
    { name: 'kyc-passed x', kind: 'one_off', attributes: [attribute('*/ level', 'string')], schema: {} },
    { name: '\u001b[2J', kind: 'one_off', attributes: [], schema: {} },
  ],
};
const contract = {
  ...{ platform: 'acme', rate_per_second: 200, burst: 200, max_batch: 100 },
  ...{ in_force: inForce, upcoming: [{ ...inForce, version: 4, in_force_from: '2027-01-31T12:00:00.000Z' }] },
};

function refusal(number: number): object {
  return {
    ...{
      event_id: `e-${number}`,
      code: 'event_not_negotiated',
      field: 'event.name',
      message: 'Not \u001b[2J negotiated.',
    },
    ...{ platform_user_id: 'p-1', refusals: 2, first_at: '2026-01-01T00:00:00Z', last_at: '2026-01-01T00:00:01Z' },
    last_request_id: 'r-1',
  };
}

describe('podium-partner contract, types and refusals', () => {
  const seen: { url: string; authorization?: string }[] = [];
  let answers: { status: number; headers?: http.OutgoingHttpHeaders; body: unknown }[] = [];
  const server = http.createServer((request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const { status, headers = {}, body } = answers.length > 1 ? answers.shift()! : answers[0];
    response
      .writeHead(status, { 'x-request-id': 'request-7', connection: 'close', ...headers })
      .end(JSON.stringify(body));
  });
  let url: string;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    seen.length = 0;
    answers = [{ status: 200, body: contract }];
    env = { PODIUM_EVENT_KEY: 'canary-key' };
  });

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const terminal: Terminal = {
      env,
      ...{ isInteractive: false, ask: async () => '', readStdin: async () => '' },
      out: (text) => void (out += text),
      err: (text) => void (err += text),
    };
    const code = await runPartnerProgram(args, terminal);
    expect(out + err).not.toContain('canary-key');
    return { code, out, err };
  }

  it('show the contract to people and to programs', async () => {
    env = { ...env, PODIUM_URL: `${url}/cdp/v1/users/events/send` };
    const people = await run('contract');
    expect(people).toMatchObject({ code: 0, err: '' });
    expect(people.out).toContain('Rate: 200 events per second, 200 at once, 100 in a batch');
    expect(people.out).toContain('    amount: decimal, not negative, in EUR, USD by currency');
    expect(people.out).toContain('Version 4, in force from 2027-01-31T12:00:00.000Z');
    expect(people.out).not.toContain('\u001b');
    expect(seen).toEqual([{ url: '/cdp/v1/contract', authorization: 'Bearer canary-key' }]);
    expect(JSON.parse((await run('contract', '--json')).out)).toEqual(contract);
    answers = [{ status: 200, body: { ...contract, in_force: null, upcoming: [] } }];
    expect((await run('contract', '--url', url)).out).toContain('Nothing is in force yet');
  });

  it('write TypeScript types with which misspelt events do not compile', async () => {
    const folder = folderOf();
    const types = path.join(folder, 'podium-events.ts');
    expect(await run('types', '--url', url, '--out', types)).toMatchObject({ code: 0, out: '', err: '' });
    const problemsOf = (event: string): string[] => {
      const file = path.join(folder, 'uses.ts');
      const common = "id: 'e', platformUserId: 'p', createdAt: 1";
      writeFileSync(
        file,
        `import { send } from './sdk';\nimport type { DepositEvent, NegotiatedEvent } from './podium-events';\nconst event: DepositEvent = { ${common}, ${event} };\nsend(event);\nconst any: NegotiatedEvent = event;\nsend(any);\n`,
      );
      const sdk = path.join(folder, 'sdk.ts');
      const source = path.resolve(__dirname, '../src/api/partner-event');
      writeFileSync(
        sdk,
        `import type { PartnerEvent } from '${source}';\nexport declare function send(event: PartnerEvent): void;\n`,
      );
      const text = readFileSync(types, 'utf8').replace("'@podium/partner'", `'${source}'`);
      writeFileSync(types, text);
      const options: ts.CompilerOptions = {
        ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
        ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
      };
      return ts
        .getPreEmitDiagnostics(ts.createProgram([file], options))
        .filter((each) => each.file?.fileName.startsWith(folder))
        .map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n'));
    };
    expect(problemsOf(`name: 'deposit', attributes: { amount: '1', first: 'true' }`)).toEqual([]);
    expect(problemsOf(`name: 'deposit'`)).toEqual([]);
    expect(problemsOf(`name: 'Deposit'`).join()).toContain('not assignable');
    expect(problemsOf(`name: 'deposit', attributes: { amuont: '1' }`).join()).toContain('amuont');
    expect(problemsOf(`name: 'deposit', attributes: { first: 'yes' }`).join()).toContain('not assignable');
    const text = readFileSync(types, 'utf8');
    expect(text).toContain('contractVersion = 3');
    expect(text).toContain('KYCPassedXEvent');
  });

  it('write Python types', async () => {
    const { out } = await run('types', '--url', url, '--language', 'python', '--upcoming');
    expect(out).toContain('CONTRACT_VERSION = 4');
    expect(out).toContain('EventName = Literal["deposit", ');
    expect(out).toContain('        "amount": str,\n');
    expect(pythonTypes('acme', { ...inForce, events: [] })).toContain('EventName = NoReturn');
    answers = [{ status: 200, body: { ...contract, in_force: null, upcoming: [] } }];
    expect((await run('types', '--url', url)).code).toBe(2);
    expect((await run('types', '--url', url, '--upcoming')).code).toBe(2);
    expect((await run('types', '--url', url, '--language', 'cobol')).code).toBe(2);
    answers = [{ status: 200, body: contract }];
    const nowhere = path.join(folderOf(), 'missing', 'events.ts');
    expect(await run('types', '--url', url, '--out', nowhere)).toMatchObject({
      code: 3,
      err: expect.stringContaining('ENOENT'),
    });
  });

  it('list refusals page by page, and wait above the rate', async () => {
    const limited = { error: { code: 'rate_limited', message: 'Too many.', retry: 'now' } };
    answers = [
      { status: 200, body: { items: [refusal(1), refusal(2)], next_cursor: 'next' } },
      { status: 429, headers: { 'retry-after': '1' }, body: limited },
      { status: 200, body: { items: [refusal(3)], next_cursor: null } },
    ];
    const listed = await run(
      'refusals',
      '--url',
      url,
      '--code',
      'event_not_negotiated',
      '--event-id',
      'a&b',
      '--max',
      '150',
    );
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out).toMatch(/e-1 .*\n.*\n.*\n.*e-2 [^]*e-3 {2}event_not_negotiated, 2 times, user p-1/);
    expect(listed.out).not.toContain('\u001b');
    expect(seen.map((each) => each.url)).toEqual([
      '/cdp/v1/refusals?code=event_not_negotiated&event_id=a%26b&limit=100',
      '/cdp/v1/refusals?code=event_not_negotiated&event_id=a%26b&limit=100&cursor=next',
      '/cdp/v1/refusals?code=event_not_negotiated&event_id=a%26b&limit=100&cursor=next',
    ]);
    answers = [{ status: 200, body: { items: [refusal(1)], next_cursor: null } }];
    expect(JSON.parse((await run('refusals', '--url', url, '--json')).out)).toEqual(refusal(1));
    answers = [{ status: 200, body: { items: [], next_cursor: null } }];
    expect((await run('refusals', '--url', url)).out).toBe('None.\n');
  });

  it('say what is wrong, with the page of the code and the request id', async () => {
    answers = [{ status: 403, body: { error: { code: 'forbidden', message: 'Use another key.', retry: 'pause' } } }];
    expect(await run('contract', '--url', url)).toEqual({
      ...{ code: 1, out: '' },
      err: `forbidden: Use another key.\n${url}/docs/errors#forbidden\nRequest id: request-7\n`,
    });
    answers = [{ status: 200, body: 'a proxy' }];
    expect((await run('contract', '--url', url)).err).toContain('unexpected_response');
    answers = [{ status: 302, headers: { location: 'https://elsewhere.example/' }, body: {} }];
    expect((await run('refusals', '--url', url)).err).toContain('unexpected_response');
    expect((await run('contract', '--url', 'http://127.0.0.1:1')).err).toContain('no_response');
  });

  it.each([
    ['no address', [], 'address is missing'],
    ['plain http to another host', ['--url', 'http://events.example'], 'https'],
    ['no address at all', ['--url', 'events'], 'cannot be used'],
    ['an address with a password', ['--url', 'https://acme:s3cret@podium.example'], 'The address https://…@podium.'],
  ])('refuse %s', async (_name, args, message) => {
    const { code, err } = await run('contract', ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuse to run without a key, and a wrong number of rows', async () => {
    expect((await run('refusals', '--url', url, '--max', '0')).code).toBe(2);
    env = {};
    expect(await run('contract', '--url', url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('PODIUM_EVENT_KEY'),
    });
  });
});
