import { execFile } from 'node:child_process';
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
const commands: Readonly<Record<string, [string]>> = {
  '.sh': ['sh'],
  '.ts': [process.execPath],
  '.py': ['python3'],
};

/** Runs a sample as a reader does, with the address of a deployment in it; returns what it printed. */
async function run(name: string, address: string, env: Record<string, string>): Promise<string> {
  const folder = scratchFolder();
  const extension = extname(name);
  const source = sourceOf(name, address);
  const file = join(folder, extension === '.ts' ? 'sample.mjs' : name);
  writeFileSync(file, extension === '.ts' ? withoutTypes(source) : source);
  const [command] = commands[extension];
  const { stdout } = await promisify(execFile)(command, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, PAGES: folder, ...env },
    timeout: 25_000,
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
      [...sending, ...batches, ...asking, ...contract, ...games, ...reading, ...elsewhere].sort(),
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

    it.each(batches)('%s has both events accepted', async (name) => {
      ingestion.batches.length = 0;
      const printed = await run(name, gateway.url, { PODIUM_EVENT_KEY: gateway.newKey('your-platform-name') });
      expect(printed).toMatch(/^(HTTP\/1.1 )?200/);
      expect(ingestion.batches.flat()).toHaveLength(2);
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
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const url = request.url ?? '';
      const etag = `"${createHash('sha256').update(url).digest('hex')}"`;
      if (request.headers.authorization !== 'Bearer data-key') return void response.writeHead(401).end();
      // The second request is above the rate.
      if (seen.push(url) === 2 && !isGrowing) return void response.writeHead(429, { 'retry-after': '1' }).end();
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
    beforeEach(() => (isGrowing = false));

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
