import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { PodiumClient } from '../../sdk/typescript/src';

const sample = path.join(__dirname, '../site/samples/enqueue.ts');

describe('the sample of the SDK in the integration guide', () => {
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

  it('sends its event with the key before it ends', async () => {
    const body = readFileSync(sample, 'utf8')
      .replace("import { PodiumClient } from '@podium/partner';", '')
      .replace('https://address.podium.invalid', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replace('/var/lib/my-shop/podium-events', mkdtempSync(path.join(tmpdir(), 'q-')));
    const program = new Function('PodiumClient', 'process', `return (async () => {${body}})()`);
    await program(PodiumClient, { env: { PODIUM_EVENT_KEY: 'key-1' } });
    const sent = received.filter((request) => request.startsWith('/cdp/v1/users/events/send'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('Bearer key-1');
    expect(sent[0]).toContain('"id":"deposit-93f1"');
  });
});
