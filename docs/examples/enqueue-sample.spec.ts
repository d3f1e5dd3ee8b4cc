import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { scratchFolders } from '@podium/testing';
import { PodiumClient } from '../../sdk/typescript/src';

describe('the samples of the queue', () => {
  const scratchFolder = scratchFolders();
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(`${request.url} ${request.headers.authorization} ${Buffer.concat(chunks).toString()}`);
      // As an edge without batches, so that the client sends single events.
      if (!request.url?.endsWith('/send')) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"outcome":"accepted","event_id":"deposit-93f1","dropped_attributes":[]}');
    });
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  beforeEach(() => (received.length = 0));

  /** A sample, or the first block of a README, with the address of the server and a folder of its own. */
  const filledIn = (name: string): string => {
    const text = readFileSync(path.join(__dirname, '..', name), 'utf8');
    const source = name.endsWith('.md') ? (/```(?:js|python)\n([\s\S]*?)```/.exec(text)?.[1] ?? '') : text;
    return source
      .replace(/https:\/\/(?:address\.podium\.invalid|events\.example)/, address())
      .replace('/var/lib/my-shop/podium-events', scratchFolder());
  };
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function expectOneEvent(): void {
    const sent = received.filter((request) => request.startsWith('/cdp/v1/users/events/send'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('Bearer key-1');
    expect(sent[0]).toMatch(/"id": ?"deposit-93f1"/);
  }

  it.each(['site/samples/enqueue.py', '../sdk/python/README.md'])(
    'in %s sends its event with the key before it ends',
    async (name) => {
      await promisify(execFile)('python3', ['-B', '-c', filledIn(name)], {
        env: {
          PATH: process.env.PATH,
          PYTHONPATH: path.join(__dirname, '../../sdk/python/src'),
          PODIUM_EVENT_KEY: 'key-1',
        },
        timeout: 30_000,
      });
      expectOneEvent();
    },
    40_000,
  );

  it.each(['site/samples/enqueue.ts', '../sdk/typescript/README.md'])(
    'in %s sends its event with the key before it ends',
    async (name) => {
      const body = filledIn(name).replace("import { PodiumClient } from '@podium/partner';", '');
      const program = new Function('PodiumClient', 'process', `return (async () => {${body}})()`);
      const atEnd: (() => Promise<unknown>)[] = [];
      const once = (_: string, close: () => Promise<unknown>): number => atEnd.push(close);
      await program(PodiumClient, { env: { PODIUM_EVENT_KEY: 'key-1' }, once });
      await Promise.all(atEnd.map((close) => close()));
      expectOneEvent();
    },
  );
});
