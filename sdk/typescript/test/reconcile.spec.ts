import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as nodeOs from 'node:os';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { runPartnerProgram } from '../src/command-line/partner-program';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const program = path.join(__dirname, '../src/command-line/main.ts');

/** The documented answers about ids; an id is missing when its digest says so. */
class IdServer {
  asked = 0;
  readonly keys = new Set<string | undefined>();
  /** Answers in place of the next questions; undefined is the documented one. */
  readonly failures: (((response: http.ServerResponse) => void) | undefined)[] = [];
  platform = 'acme';
  isMissing: (id: string) => boolean = (id) => createHash('sha256').update(id).digest()[0] < 3;
  private readonly server = http.createServer((request, response) => void this.answer(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    this.keys.add(request.headers.authorization);
    const url = new URL(request.url ?? '', 'http://server');
    if (url.pathname.endsWith('/contract')) return void response.end(JSON.stringify({ platform: this.platform }));
    const failure = this.failures.shift();
    if (failure) return failure(response);
    response.setHeader('content-type', 'application/json');
    // The rate is raised, so that the spec is fast.
    response.setHeader('ratelimit-limit', '1000, 1000;w=1');
    if (url.pathname.endsWith('/status'))
      return void response.end(JSON.stringify({ accepted: !this.isMissing(url.searchParams.get('id') ?? '') }));
    const { ids } = JSON.parse(body) as { ids: string[] };
    expect(ids.length).toBeLessThanOrEqual(10_000);
    expect(body.length).toBeLessThanOrEqual(3 * 1024 * 1024);
    this.asked += ids.length;
    response.end(JSON.stringify({ missing: ids.filter(this.isMissing) }));
  }
}

describe('podium-partner', () => {
  const server = new IdServer();
  let env: Record<string, string>;
  let printed: string;
  let folder: string;

  beforeAll(async () => {
    env = { PODIUM_URL: await server.listen(), PODIUM_EVENT_KEY: 'podium_test_ev_key' };
  });

  afterAll(async () => {
    await server.close();
  });

  beforeEach(() => {
    printed = '';
    folder = folderOf();
    server.asked = 0;
    server.platform = 'acme';
    server.failures.length = 0;
  });

  it('status says whether an event with any id was accepted', async () => {
    server.isMissing = (id) => id === 'a+b &?ü';
    expect([await run('status', 'a+b &?ü'), printed]).toEqual([1, 'missing\n']);
    printed = '';
    expect([await run('status', 'other'), printed]).toEqual([0, 'accepted\n']);
    server.failures.push((response) => void response.writeHead(200).end('<html>a proxy</html>'));
    server.failures.push(
      (response) => void response.writeHead(503, { 'retry-after': '0' }).end(refusal('unavailable')),
    );
    expect(await run('status', 'other')).toBe(0);
    server.failures.push((response) => void response.writeHead(401).end(refusal('unauthorized')));
    expect(await run('status', 'other')).toBe(3);
    expect([...server.keys]).toEqual(['Bearer podium_test_ev_key']);
  }, 20_000);

  it.each<[string, string, (id: string) => string, string]>([
    ['ids.txt', '', (id) => id, ''],
    ['events.ndjson', '', (id) => JSON.stringify({ platform: 'p', event: { id, name: 'x,"y"' } }), ''],
    ['events.csv', '\uFEFFname,event_id\r\n', (id) => `"a ""quoted""\nname, twice",${id}\r`, 'name,event_id\n'],
  ])('reconcile writes the missing records of %s as they are', async (name, header, recordOf, writtenHeader) => {
    const file = path.join(folder, name);
    const ids = Array.from({ length: 25_000 }, (_, at) => `order-${at}`);
    server.isMissing = (id) => Number(id.slice(6)) % 500 === 3;
    fs.writeFileSync(file, header + ids.map((id) => `${recordOf(id)}\n`).join('') + '\n');
    expect(await run('reconcile', file)).toBe(1);
    const expected = ids.filter(server.isMissing).map((id) => `${recordOf(id).replace(/\r$/, '')}\n`);
    expect(fs.readFileSync(`${file}.missing`, 'utf8')).toBe(writtenHeader + expected.join(''));
    expect([server.asked, printed]).toEqual([25_000, expect.stringContaining('25,000 ids, 50 missing')]);
    expect(fs.readdirSync(folder).sort()).toEqual([name, `${name}.missing`]);
    // Nothing is overwritten.
    expect(await run('reconcile', file)).toBe(2);
  });

  it('reconcile names records without an id, and continues where it was ended', async () => {
    const file = path.join(folder, 'ids');
    fs.writeFileSync(file, `${Array.from({ length: 30_000 }, (_, at) => `id-${at}`).join('\n')}\n${'x'.repeat(256)}\n`);
    server.isMissing = (id) => id.endsWith('7');
    server.failures.push(
      undefined,
      answerNothing,
      (response) => void response.writeHead(401).end(refusal('unauthorized')),
    );
    expect(await run('reconcile', file)).toBe(3);
    // The process was killed after it wrote, and before it noted the answer.
    server.failures.length = 0;
    fs.appendFileSync(`${file}.missing`, 'half a li');
    expect(await run('reconcile', file)).toBe(1);
    const missing = fs.readFileSync(`${file}.missing`, 'utf8').split('\n');
    expect([missing.length - 1, new Set(missing).size - 1, server.asked]).toEqual([3_000, 3_000, 30_000]);
    expect(printed).toContain('ids:30001 has an id of more than 255 bytes');
  }, 20_000);

  it.each<[string, string, (id: string) => string]>([
    ['ids.txt', '', (id) => id],
    ['events.ndjson', '', (id) => JSON.stringify({ event: { id } })],
    ['events.csv', 'event_id,note\n', (id) => `${id},x`],
  ])('reconcile asks about no id of %s whose bytes are not UTF-8', async (name, header, recordOf) => {
    const file = path.join(folder, name);
    const [good, replaced] = ['order-\ufffd', 'order-X'].map((id) => `${recordOf(id)}\n`);
    const latin1 = Buffer.from(header + good + replaced).map((byte) => (byte === 'X'.charCodeAt(0) ? 0xe9 : byte));
    fs.writeFileSync(file, latin1);
    server.isMissing = () => true;
    expect([await run('reconcile', file), server.asked]).toEqual([1, 1]);
    expect(printed).toContain(`${name}:${header === '' ? 2 : 3} has bytes that are not UTF-8\n1 ids, 1 missing`);
    expect(fs.readFileSync(`${file}.missing`, 'utf8')).toBe(header + good);
  });

  it('reconcile continues only with the settings with which it began', async () => {
    const file = path.join(folder, 'deposits.csv');
    const rows = Array.from({ length: 25_000 }, (_, at) => `order-${at},other-${at}\n`);
    fs.writeFileSync(file, `order,other\n${rows.join('')}`);
    server.isMissing = (id) => id.endsWith('00');
    server.failures.push(undefined, (response) => void response.writeHead(401).end(refusal('unauthorized')));
    const call = ['reconcile', file, '--column', 'order'];
    expect([await run(...call), server.asked]).toEqual([3, 10_000]);
    for (const [args, platform] of [
      [['reconcile', file, '--column', 'other'], 'acme'],
      [[...call, '--format', 'ids'], 'acme'],
      [[...call, '--url', `${env.PODIUM_URL}/production`], 'acme'],
      [call, 'another'],
    ] as const) {
      server.platform = platform;
      printed = '';
      expect(await run(...args)).toBe(2);
      expect(printed).toContain(`remove ${file}.missing.progress and ${file}.missing`);
    }
    server.platform = 'acme';
    expect([await run(...call), server.asked]).toEqual([1, 25_000]);
    expect(fs.readFileSync(`${file}.missing`, 'utf8').split('\n')).toHaveLength(1 + 249 + 1);
  });

  it('reconcile writes no file that another call of it is writing', async () => {
    const file = path.join(folder, 'ids');
    fs.writeFileSync(file, Array.from({ length: 20_000 }, (_, at) => `id-${at}\n`).join(''));
    server.isMissing = () => true;
    let goOn = (): void => undefined;
    const isHeld = new Promise<void>((resolve) =>
      server.failures.push(undefined, (response) => {
        goOn = () => void response.writeHead(503).end(refusal('unavailable'));
        resolve();
      }),
    );
    const first = run('reconcile', file);
    await isHeld;
    const link = folderOf();
    fs.symlinkSync(folder, path.join(link, 'same'));
    for (const same of [file, path.join(link, 'same/ids')]) {
      printed = '';
      expect([await run('reconcile', same), printed]).toEqual([2, expect.stringContaining('Another process writes')]);
    }
    goOn();
    expect([await first, server.asked]).toEqual([1, 20_000]);
    expect(fs.readFileSync(`${file}.missing`, 'utf8') === fs.readFileSync(file, 'utf8')).toBe(true);
    // It is no lock of the file for ever, and needs no folder for temporary files.
    const os = jest.requireActual<typeof nodeOs>('node:os');
    const tmpdir = jest.spyOn(os, 'tmpdir');
    for (const temporary of [os.tmpdir(), path.join(folder, 'none')]) {
      fs.rmSync(`${file}.missing`);
      tmpdir.mockReturnValue(temporary);
      expect([await run('reconcile', file), fs.readdirSync(folder)]).toEqual([1, ['ids', 'ids.missing']]);
    }
    expect(tmpdir).toHaveBeenCalled();
    tmpdir.mockRestore();
  }, 20_000);

  it('reconcile does not finish on a full disk, and loses nothing', async () => {
    const file = path.join(folder, 'ids.txt');
    const records = Array.from(
      { length: 25_000 },
      (_, at) => `${'order-'.repeat(9)}${String(at).padStart(6, '0')}\n`,
    ).join('');
    fs.writeFileSync(file, records);
    server.isMissing = () => true;
    // 700 KiB, or twice as much by the shell: more than the records of one answer, and less than all.
    const limited = ['-c', 'ulimit -f 1400; exec "$0" "$@"', process.execPath, '-r', '@swc-node/register', program];
    const ended = await promisify(execFile)('sh', [...limited, 'reconcile', file], {
      env: { ...process.env, ...env },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('EFBIG') as string });
    // As on a disk on which somebody has removed something else meanwhile.
    expect(await run('reconcile', file)).toBe(1);
    expect(fs.readFileSync(`${file}.missing`, 'utf8') === records).toBe(true);
    expect(fs.readdirSync(folder).sort()).toEqual(['ids.txt', 'ids.txt.missing']);
  }, 20_000);

  it('reconcile does not continue a file whose records are gone', async () => {
    const file = path.join(folder, 'ids');
    fs.writeFileSync(file, Array.from({ length: 20_000 }, (_, at) => `id-${at}\n`).join(''));
    server.isMissing = () => true;
    server.failures.push(undefined, (response) => void response.writeHead(401).end(refusal('unauthorized')));
    expect(await run('reconcile', file)).toBe(3);
    for (const spoil of [
      () => fs.truncateSync(`${file}.missing`, 10),
      () => fs.renameSync(`${file}.missing`, path.join(folder, 'moved')),
    ]) {
      spoil();
      printed = '';
      expect([await run('reconcile', file), printed]).toEqual([2, expect.stringContaining('has lost records')]);
    }
    expect(fs.existsSync(`${file}.missing`)).toBe(false);
  });

  it('says what is wrong with the call', async () => {
    const file = path.join(folder, 'data.csv');
    fs.writeFileSync(file, 'a,b\n1,2\n');
    expect(await run('reconcile', file)).toBe(2);
    expect(printed).toContain('--column');
    for (const separator of [';', '\t']) {
      fs.writeFileSync(file, `event_id${separator}name\n1${separator}2\n`);
      printed = '';
      expect(await run('reconcile', file)).toBe(2);
      expect(printed).toMatch(/separates the columns by (semicolons|tabs): export the file again, separated by commas/);
    }
    expect(await run('reconcile', path.join(folder, 'none'))).toBe(2);
    expect(await run('status', 'x', '--url', 'http://shop.example')).toBe(2);
  });

  function run(...args: string[]): Promise<number> {
    const print = (line: string): void => void (printed += line);
    return runPartnerProgram(args, {
      ...{ out: print, err: print, env, isInteractive: false },
      ask: () => Promise.reject(new Error('nobody to ask')),
      readStdin: () => Promise.resolve(''),
    });
  }
});

function answerNothing(response: http.ServerResponse): void {
  response.destroy();
}

function refusal(code: string): string {
  return JSON.stringify({ error: { code, message: `The sentence of ${code}.` } });
}
