import * as fs from 'node:fs';
import * as path from 'node:path';
import { CommandRun, ScriptedEdge, refusal, runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const key = 'canary-key-of-init';

describe('podium-partner init', () => {
  const edge = new ScriptedEdge();
  let url: string;
  let folder: string;
  let config: string;

  beforeAll(async () => {
    url = await edge.listen();
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    edge.requests.length = 0;
    edge.answer = ({ authorization }) =>
      authorization === `Bearer ${key}`
        ? { status: 200, body: { platform: 'acme', in_force: null, upcoming: [] } }
        : { status: 401, body: refusal('unauthorized', 'pause') };
    folder = folderOf();
    config = path.join(folder, 'podium-partner.json');
  });

  async function run(args: string[], options: Parameters<typeof runCommand>[1] = {}): Promise<CommandRun> {
    const result = await runCommand([...args, '--config', config], {
      ...options,
      env: { HOME: folder, ...options.env },
    });
    expect(result.out + result.err).not.toContain(key);
    return result;
  }

  it('names the variable of the key, and the other commands find both', async () => {
    const env = { MY_KEY: key };
    const made = await run(['init', '--url', url, '--key-env', 'MY_KEY', '--types', 'src/events.ts'], { env });
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('belongs to the platform acme') });
    const written = { url, platform: 'acme', key: { env: 'MY_KEY' }, types: ['src/events.ts'] };
    expect(JSON.parse(fs.readFileSync(config, 'utf8'))).toEqual(written);
    expect(await run(['contract'], { env })).toMatchObject({ code: 0, out: expect.stringContaining('Platform: acme') });
    expect(edge.requests.map((each) => each.path)).toEqual(['/cdp/v1/contract', '/cdp/v1/contract']);
    expect(await run(['contract'])).toMatchObject({ code: 2, err: expect.stringContaining('set MY_KEY') });
    // A variable of the environment replaces what the file says.
    const other = { MY_KEY: key, PODIUM_EVENT_KEY: 'other' };
    expect(await run(['contract'], { env: other })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^unauthorized/),
    });
    expect(await run(['init', '--url', url], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    });
  });

  it('asks on a terminal, and keeps the key in a file of its owner outside of the folder', async () => {
    expect(await run(['init'], { answers: [url, key] })).toMatchObject({ code: 0 });
    const place = (JSON.parse(fs.readFileSync(config, 'utf8')) as { key: { file: string } }).key.file;
    expect(place).toMatch(/^~\/\.config\/podium-partner\/127\.0\.0\.1_\d+-acme\.key$/);
    const file = path.join(folder, place.slice(2));
    expect([fs.readFileSync(file, 'utf8'), fs.statSync(file).mode & 0o777]).toEqual([`${key}\n`, 0o600]);
    expect((await run(['contract'])).code).toBe(0);
    fs.chmodSync(file, 0o640);
    expect(await run(['contract'])).toMatchObject({ code: 2, err: expect.stringContaining('chmod 600') });
  });

  it('takes the key from the standard input into a file', async () => {
    const file = path.join(folder, 'secrets', 'podium.key');
    expect(await run(['init', '--url', url, '--key-file', file], { stdin: `${key}\n` })).toMatchObject({ code: 0 });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(['contract'])).code).toBe(0);
    fs.rmSync(config);
    expect(await run(['init', '--url', url, '--key-file', file])).toMatchObject({ code: 0 });
  });

  it('takes a key that can only send, with the name of the platform', async () => {
    edge.answer = ({ path: asked }) =>
      asked === '/cdp/v1/contract'
        ? { status: 403, body: refusal('forbidden', 'pause') }
        : { status: 200, body: { valid: false, problems: [] } };
    const env = { PODIUM_EVENT_KEY: key };
    expect(await run(['init', '--url', url], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--platform'),
    });
    expect(await run(['init', '--url', url, '--platform', 'acme'], { env })).toMatchObject({ code: 0 });
  });

  it('writes nothing for a key that Podium refuses, or without an answer', async () => {
    const refused = await run(['init'], { answers: [url, 'wrong'] });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') });
    const env = { PODIUM_EVENT_KEY: key };
    expect(await run(['init', '--url', 'http://127.0.0.1:1'], { env })).toMatchObject({ code: 1 });
    expect(await run(['init', '--url', url, '--platform', 'other'], { env })).toMatchObject({ code: 2 });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['{"url":"https://a.example","platform":"p","key":"secret"}', 'must not be in this file'],
    ['{"url":"https://a.example","platform":"p","key":{"env":"A","file":"b"}}', 'must not be in this file'],
    ['{"platform":"p","key":{"env":"A"}}', '"url"'],
    ['[]', 'not a JSON object'],
    ['{"url":"https://a.example","platform":"p","key":{"file":"none"}}', 'cannot be read'],
    ['{"url":"http://a.example","platform":"p","key":{"env":"MY_KEY"}}', 'https'],
  ])('refuses the configuration %s', async (text, message) => {
    fs.writeFileSync(config, text);
    const { code, err } = await run(['contract'], { env: { MY_KEY: key } });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(edge.requests).toEqual([]);
  });

  it('says what is missing where nobody can be asked', async () => {
    expect(await run(['init'])).toMatchObject({ code: 2, err: expect.stringContaining('--url') });
    expect(await run(['init', '--url', url])).toMatchObject({
      code: 2,
      err: expect.stringContaining('PODIUM_EVENT_KEY'),
    });
    const broken = { PODIUM_EVENT_KEY: 'two words' };
    expect(await run(['init', '--url', url], { env: broken })).toMatchObject({ code: 2 });
  });
});
