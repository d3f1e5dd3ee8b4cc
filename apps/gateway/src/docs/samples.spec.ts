import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { scratchFolders } from '@podium/testing';
import { transformSync } from '@swc/core';
import { FakeIngestion } from '../../test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../test/gateway-under-test';

const scratchFolder = scratchFolders();
const samples = join(__dirname, '../../../../docs/site/samples');
const inAllLanguages = (name: string): string[] => ['sh', 'ts', 'py'].map((extension) => `${name}.${extension}`);
const sending = [...inAllLanguages('send'), ...inAllLanguages('validate')];
const asking = ['reconcile', 'refusals', 'status'].flatMap(inAllLanguages);
const batches = inAllLanguages('batch');
const contract = inAllLanguages('contract');
const games = inAllLanguages('games');
const reading = ['read-all.sh', 'read-all.ts', 'read_all.py'];
/** Of a sender of one's own; a compiler is slow where other specs run as well. */
const ownSenders = ['Send.java', 'send.go'];
const compilerTimeoutMs = 180_000;
const hasGo = !spawnSync('go', ['version']).error;
const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '.sh': ['sh'],
  '.ts': [process.execPath],
  '.py': ['python3'],
  '.java': ['java'],
  '.go': ['go', 'run'],
};

/** Runs a sample as a reader does, with the address of a deployment in it; returns what it printed. */
async function run(name: string, address: string, env: Record<string, string>): Promise<string> {
  const folder = scratchFolder();
  const extension = extname(name);
  const source = sourceOf(name, address);
  const file = join(folder, extension === '.ts' ? 'sample.mjs' : name);
  writeFileSync(file, extension === '.ts' ? withoutTypes(source) : source);
  const [command, ...options] = commands[extension];
  const { stdout } = await promisify(execFile)(command, [...options, file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PAGES: folder, ...env },
    timeout: ownSenders.includes(name) ? compilerTimeoutMs : 25_000,
  });
  return stdout;
}

function sourceOf(name: string, address: string): string {
  return readFileSync(join(samples, name), 'utf8').replaceAll('https://address.podium.invalid', address);
}

function withoutTypes(source: string): string {
  return transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } })
    .code;
}

describe('samples of the documentation site', () => {
  it('are all run: here, enqueue by a spec of docs/examples, first-event and link-check by a journey of e2e/demo', () => {
    const elsewhere = [
      ...['enqueue.py', 'enqueue.ts'],
      ...['first-event-python.sh', 'first-event-typescript.sh', 'link-check.sh'],
    ];
    expect(readdirSync(samples).sort()).toEqual(
      [...sending, ...batches, ...asking, ...contract, ...games, ...reading, ...ownSenders, ...elsewhere].sort(),
    );
  });

  it.each(['first-event-python.sh', 'first-event-typescript.sh'])(
    '%s saves no error page as the program',
    async (name) => {
      const server = createServer((_request, response) => response.writeHead(503).end('<h1>Not here</h1>'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const [download] =
          /^curl .*$/m.exec(sourceOf(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)) ?? [];
        const cwd = scratchFolder();
        await expect(promisify(execFile)('sh', ['-c', download ?? ''], { cwd })).rejects.toMatchObject({
          stderr: expect.stringContaining('503'),
        });
        expect(readdirSync(cwd)).toEqual([]);
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );

  describe('that send', () => {
    const ingestion = new FakeIngestion();
    let gateway: GatewayUnderTest;

    beforeAll(async () => {
      gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [await ingestion.start()] });
    });
    afterAll(async () => {
      await gateway.stop();
      await ingestion.stop();
    });

    it.each(sending)('%s has its event accepted by the gateway', async (name) => {
      ingestion.batches.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
      expect(printed).toContain('200');
      expect(printed).toContain('"outcome":"accepted"');
      expect(ingestion.batches.flat()).toHaveLength(1);
    });

    it.each(ownSenders.filter((name) => hasGo || !name.endsWith('.go')))(
      '%s has its event accepted by the gateway, whatever its client offers of HTTP/2',
      async (name) => {
        const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
        expect(printed).toContain('done 0 200 {"outcome":"accepted"');
      },
      compilerTimeoutMs,
    );

    it.each(batches)('%s has both events accepted', async (name) => {
      ingestion.batches.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
      expect(printed).toMatch(/^(HTTP\/1.1 )?200/);
      expect(ingestion.batches.flat()).toHaveLength(2);
    });
  });

  describe('that send, and say what to do with the event', () => {
    const json = (status: number, body: object, headers: () => Record<string, string> = () => ({})) => ({
      ...{ status, body: JSON.stringify(body), headers },
    });
    const page = (status: number, headers: () => Record<string, string> = () => ({})) => ({
      ...{ status, body: '<h1>Log in</h1>', headers },
    });
    const inTenMinutes = () => new Date(Date.now() + 600_000).toUTCString();
    const later = json(404, { error: { code: 'user_not_linked', retry: 'later' } }, () => ({ 'retry-after': '60' }));
    const answers: [string, ReturnType<typeof json>, RegExp][] = [
      ['an acceptance', json(200, { outcome: 'accepted', event_id: 'deposit-93f1' }), /^done 0 200 /],
      ['a refusal for now', later, /^later 60 404 /],
      ['a refusal for good', json(400, { error: { code: 'invalid_request', retry: 'never' } }), /^never 1 400 /],
      ['a page of a proxy', page(200), /^now 1 200 /],
      ['a proxy with a date', page(503, () => ({ 'retry-after': inTenMinutes() })), /^now 5\d\d 503 /],
    ];
    let answer = later;
    const sent: unknown[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        sent.push([request.method, request.url, request.headers.authorization, JSON.parse(text)]);
        response.writeHead(answer.status, answer.headers()).end(answer.body);
      });
    });
    let address = '';

    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    describe.each(ownSenders)('%s', (name) => {
      const isGo = name.endsWith('.go');
      const canRun = !isGo || hasGo;
      let folder = '';

      beforeAll(async () => {
        if (!canRun) return;
        folder = scratchFolder();
        writeFileSync(join(folder, name), sourceOf(name, address));
        const [command, ...options] = isGo ? ['go', 'build', '-o', 'sender'] : ['javac'];
        await promisify(execFile)(command, [...options, name], { cwd: folder });
      }, compilerTimeoutMs);

      (canRun ? it : it.skip).each(answers)(
        'reads %s',
        async (_, given, decision) => {
          answer = given;
          sent.length = 0;
          const [command, ...options] = isGo ? [join(folder, 'sender')] : ['java', '-XX:TieredStopAtLevel=1', 'Send'];
          const env = { PATH: process.env.PATH, PODIUM_EVENT_KEY: 'key' };
          const { stdout } = await promisify(execFile)(command, options, { cwd: folder, env });
          expect(stdout).toMatch(decision);
          const event = expect.objectContaining({ id: 'deposit-93f1', created_at: 1767225600 });
          const body = expect.objectContaining({ platform_user_id: 'user-1', event });
          expect(sent).toEqual([['POST', '/cdp/v1/users/events/send', 'Bearer key', body]]);
        },
        60_000,
      );
    });
  });

  describe('that ask', () => {
    const asked: string[] = [];
    const upstream = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const isKnown = request.headers['if-none-match'] === '"v1"';
      request
        .resume()
        .on('end', () => response.writeHead(isKnown ? 304 : 200, { etag: '"v1"' }).end(isKnown ? '' : '{}'));
    });
    let gateway: GatewayUnderTest;

    beforeAll(async () => {
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
      gateway = await startGateway({ redisUrl: 'redis://127.0.0.1:1', ingestionUrls: [upstreamUrl], upstreamUrl });
    });
    afterAll(async () => {
      await gateway.stop();
      upstream.closeAllConnections();
      await new Promise((resolve) => upstream.close(resolve));
    });

    it.each(asking)('%s passes the gateway', async (name) => {
      asked.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
      expect(printed).toMatch(/^(HTTP\/1.1 )?200/);
      expect(asked).toHaveLength(1);
    });

    it.each(games)('%s passes the gateway with a data key', async (name) => {
      asked.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_DATA_KEY: gateway.newDataKey().key });
      expect(printed).toMatch(/^(HTTP\/1.1 )?200/);
      expect(asked).toEqual([expect.stringContaining('/games?limit=5')]);
    });

    it.each(contract)('%s asks again with the ETag', async (name) => {
      asked.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
      expect(printed.match(/(?:HTTP\/1.1 |^)(?:200|304)/gm)?.map((line) => line.slice(-3))).toEqual(['200', '304']);
      expect(asked).toHaveLength(2);
    });
  });

  describe('that read every page', () => {
    const seen: string[] = [];
    const nextPage = { link: '</data/v4/games?limit=2&cursor=c1>; rel="next"' };
    /** The first page is the last one until it has been read. */
    let isGrowing = false;
    let retryAfter = (): string => '1';
    let limitedAtMs = 0;
    let waitedMs = 0;
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const url = request.url ?? '';
      const etag = `"${createHash('sha256').update(url).digest('hex')}"`;
      if (request.headers.authorization !== 'Bearer data-key') return void response.writeHead(401).end();
      // The second request is above the rate.
      if (seen.push(url) === 3) waitedMs = Date.now() - limitedAtMs;
      if (seen.length === 2 && !isGrowing) {
        limitedAtMs = Date.now();
        return void response.writeHead(429, { 'retry-after': retryAfter() }).end();
      }
      const isKnown = request.headers['if-none-match'] === etag;
      const last = url.includes('cursor');
      const link = last || (isGrowing && !isKnown) ? {} : nextPage;
      if (isKnown) return void response.writeHead(304, { etag, ...link }).end();
      response.writeHead(200, { etag, ...link });
      response.end(JSON.stringify({ start: 0, end: 2, items: [{ game_id: last ? 'dota2' : 'cs2' }] }));
    };
    const server = createServer(handle);
    let address = '';

    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));
    beforeEach(() => {
      isGrowing = false;
      retryAfter = () => '1';
    });

    it.each(reading)('%s waits until the time that a proxy names', async (name) => {
      seen.length = 0;
      // Dates have whole seconds.
      retryAfter = () => new Date(Date.now() + 3_000).toUTCString();
      const printed = await run(name, address, { PODIUM_DATA_KEY: 'data-key' });
      expect(printed).toContain('dota2');
      expect(waitedMs).toBeGreaterThan(1_500);
      expect(waitedMs).toBeLessThan(8_000);
    });

    it.each(reading.slice(1))('%s follows cursors, waits at 429, and reads again by ETag', async (name) => {
      seen.length = 0;
      const printed = await run(name, address, { PODIUM_DATA_KEY: 'data-key' });
      expect(printed.match(/^\d{3}(?= )/gm)).toEqual(['200', '200', '304', '304']);
      expect(printed.match(/cs2|dota2/g)).toEqual(['cs2', 'dota2', 'cs2', 'dota2']);
      expect(seen).toHaveLength(5);
    });

    it('read-all.sh does so too, with its pages on disk', async () => {
      seen.length = 0;
      const printed = await run('read-all.sh', address, { PODIUM_DATA_KEY: 'data-key' });
      expect(printed.match(/cs2|dota2/g)).toEqual(['cs2', 'dota2']);
      expect(seen).toHaveLength(3);
    });

    it.each(reading)('%s finds the page that appears behind one that has not changed', async (name) => {
      isGrowing = true;
      const env = { PODIUM_DATA_KEY: 'data-key', PAGES: scratchFolder() };
      const runs = name.endsWith('.sh') ? 2 : 1;
      let printed = '';
      for (let each = 0; each < runs; each++) printed += await run(name, address, env);
      expect(printed.match(/\b(?:200|304)(?=\s)/g)).toEqual(['200', '304', '200']);
      expect(printed.match(/cs2|dota2/g)).toEqual(['cs2', 'cs2', 'dota2']);
    });
  });
});
