import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { checkoutFolder } from '../stack/folders';
import { RecordScan, scanRecord } from './scan-record';

/** A process that receives secrets on its server, hands some out, and gives out what the lines of its leak say. */
const program = (leak: string): string => `
  const http = require('node:http');
  const { channel } = require('node:diagnostics_channel');
  const { pino } = require('pino');
  const logger = pino({}, { write: () => undefined });
  const [bearer, password, code, state, verifier, cookie, issued, given] = process.argv.slice(1);
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/oauth2/token') return response.end(JSON.stringify({ access_token: issued }));
      if (request.url === '/v1/traces') return response.end('{}');
      ${leak}
    });
  });
  server.listen(0, '127.0.0.1', async () => {
    const url = 'http://127.0.0.1:' + server.address().port;
    channel('podium:test:secret').publish({ kind: 'vault key', value: given });
    const form = new URLSearchParams({ code_verifier: verifier });
    const basic = 'Basic ' + Buffer.from('podium:' + encodeURIComponent(password)).toString('base64');
    await (await fetch(url + '/oauth2/token', { method: 'POST', body: form, headers: { authorization: basic } })).text();
    const query = '?code=' + code + '&state=' + state;
    const headers = { authorization: 'Bearer ' + bearer, cookie: 'other=1; podium_session=' + cookie };
    await (await fetch(url + '/page' + query, { headers })).text();
    await (await fetch(url + '/v1/traces', { method: 'POST', body: JSON.stringify({ span: process.env.SPAN }) })).text();
    server.closeAllConnections();
    server.close();
  });`;

const names = ['bearer', 'password', 'code', 'state', 'verifier', 'cookie', 'issued', 'given'] as const;
type Secrets = Readonly<Record<(typeof names)[number] | 'setting', string>>;

describe('the record of a process', () => {
  let folder: string;
  let secrets: Secrets;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-record-'));
    const made = [...names, 'setting'].map((name) => [name, randomBytes(24).toString('base64url')]);
    secrets = { ...(Object.fromEntries(made) as Secrets), password: `p%ss+${randomBytes(12).toString('base64')}` };
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  async function run(leak: string, env: Record<string, string> = {}): Promise<RecordScan> {
    const recorder = path.join(__dirname, 'recorder.cjs');
    const args = ['--require', recorder, '--eval', program(leak), '--', ...names.map((name) => secrets[name])];
    const ended = spawnSync(process.execPath, args, {
      cwd: checkoutFolder,
      env: { PATH: process.env.PATH, PODIUM_RUN_RECORD: folder, INTERNAL_TOKEN: secrets.setting, ...env },
      encoding: 'utf8',
    });
    expect({ status: ended.status, signal: ended.signal }).toEqual({ status: 0, signal: null });
    return scanRecord(folder);
  }

  it('has every secret of its connections and settings, and nothing of them in harmless output', async () => {
    const scan = await run(
      `logger.info({ path: '/page' }, 'a request'); response.writeHead(400).end('{"error":{"code":"x"}}');`,
    );
    expect(scan.findings).toEqual([]);
    const known = fs.readdirSync(folder).find((name) => name.endsWith('secrets.ndjson')) ?? '';
    const lines = fs.readFileSync(path.join(folder, known), 'utf8').trim().split('\n');
    const values = lines.map((line) => (JSON.parse(line) as { value: string }).value);
    expect(values).toEqual(expect.arrayContaining(Object.values(secrets)));
  });

  it.each([
    ['log', 'bearer token', `logger.info({ bearer }, 'leak'); response.end();`],
    ['log', 'client secret', `logger.warn({ err: new Error(encodeURIComponent(password)) }); response.end();`],
    [
      'log',
      'authorization code',
      `logger.child({ code }).debug('no'); logger.child({ code }).error('x'); response.end();`,
    ],
    ['log', 'cookie podium_session', `logger.info(Buffer.from('a' + cookie).toString('base64')); response.end();`],
    ['pages', 'state', `response.writeHead(400).write('{"error":{"code":"' + state); response.end('"}}');`],
    [
      'pages',
      'PKCE verifier',
      `response.writeHead(200, { 'content-type': 'text/html', 'x-request-id': '1' }).end('<p>' + verifier);`,
    ],
    [
      'metrics',
      'access token',
      `response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end('a{b="' + issued + '"} 1');`,
    ],
    ['terminal', 'vault key', `console.error(Buffer.from(given, 'base64url').toString('hex')); response.end();`],
    ['terminal', 'setting INTERNAL_TOKEN', `process.stderr.write(process.env.INTERNAL_TOKEN); response.end();`],
  ])('gives a leak in %s away: %s', async (where, kind, leak) => {
    const { findings } = await run(leak);
    expect(placesOf(findings)).toEqual([`${where}.txt: ${kind}`]);
  });

  it('gives a secret in a span away', async () => {
    const { findings } = await run('response.end();', { SPAN: secrets.bearer });
    expect(placesOf(findings)).toEqual(['traces.txt: bearer token']);
  });
});

/** Files, without the number of the process, and kinds, each once. */
function placesOf(findings: RecordScan['findings']): string[] {
  return [...new Set(findings.map(({ file, kind }) => `${file.replace(/^\d+-/, '')}: ${kind}`))];
}
