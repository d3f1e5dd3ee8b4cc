import { createServer } from 'node:net';
import { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { BatchedEvent } from '@podium/messages';
import { FakeIngestion, ownToken } from '../../test/gateway-under-test';
import { IngestionAddresses } from './ingestion-addresses';
import { IngestionClient } from './ingestion-client';

const logger = pino({ level: 'silent' });

function event(requestId: string): BatchedEvent {
  return { platform: 'p', requestId, receivedAtMs: 1, traceparent: 't', body: Buffer.from('{}') };
}

function deadlines(ms: number): { ingestionAtMs: number; gatewayAtMs: number } {
  return { ingestionAtMs: Date.now() + ms, gatewayAtMs: Date.now() + ms + 100 };
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('IngestionClient', () => {
  const first = new FakeIngestion();
  const second = new FakeIngestion();
  const opened: IngestionAddresses[] = [];
  let urls: string[];

  beforeAll(async () => {
    urls = [await first.start(), await second.start()];
  });
  afterEach(async () => {
    for (const ingestion of [first, second]) {
      ingestion.batches.length = 0;
      ingestion.whole = null;
    }
    await Promise.all(opened.splice(0).map((addresses) => addresses.stop()));
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
  });

  async function clientOf(
    addressUrls: string[],
    resolve?: (name: string) => Promise<string[]>,
  ): Promise<IngestionClient> {
    const addresses = new IngestionAddresses(addressUrls, logger, resolve);
    await addresses.start();
    opened.push(addresses);
    return new IngestionClient(addresses, ownToken);
  }

  it('spreads batches over all addresses', async () => {
    const client = await clientOf(urls);
    for (let batch = 0; batch < 10; batch++) await client.carry([event('a')], deadlines(1_000));
    expect([first.batches.length, second.batches.length]).toEqual([5, 5]);
    expect(client.maxUnderWay()).toBe(4);
  });

  it('tries another address, again and again, where the connection was refused', async () => {
    const port = await freePort();
    const client = await clientOf([`http://127.0.0.1:${port}`]);
    const late = new FakeIngestion();
    const carried = client.carry([event('a')], deadlines(3_000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await late.start(port);
    expect(await carried).toHaveLength(1);
    expect(late.batches).toHaveLength(1);
    await late.stop();
    const mixed = await clientOf([`http://127.0.0.1:${port}`, urls[0]]);
    for (let batch = 0; batch < 4; batch++) await mixed.carry([event('a')], deadlines(1_000));
    expect(first.batches).toHaveLength(4);
  });

  it('gives up at the deadline when nobody is there', async () => {
    const client = await clientOf([`http://127.0.0.1:${await freePort()}`]);
    await expect(client.carry([event('a')], deadlines(400))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('never sends again what may have arrived: a timeout, a cut connection, another status, a broken frame', async () => {
    const client = await clientOf([urls[0]]);
    first.whole = () => undefined;
    await expect(client.carry([event('a')], deadlines(200))).rejects.toThrow();
    first.whole = (_request, response) => response.destroy();
    await expect(client.carry([event('a')], deadlines(1_000))).rejects.toThrow();
    first.whole = (_request, response) => void response.writeHead(503).end();
    await expect(client.carry([event('a')], deadlines(1_000))).rejects.toThrow('ingestion answered 503');
    first.whole = (_request, response) => void response.end(Buffer.from('0000000209', 'hex'));
    await expect(client.carry([event('a')], deadlines(1_000))).rejects.toThrow('a frame is cut short');
    expect(first.batches).toHaveLength(4);
  });

  it('rests an address that timed out', async () => {
    const client = await clientOf(urls);
    first.whole = second.whole = (_request, response) => void setTimeout(() => response.destroy(), 2_000).unref();
    await expect(client.carry([event('slow')], deadlines(200))).rejects.toThrow();
    const [resting, other] = first.batches.length > 0 ? [first, second] : [second, first];
    first.whole = second.whole = null;
    for (let batch = 0; batch < 4; batch++) await client.carry([event('a')], deadlines(1_000));
    expect([resting.batches.length, other.batches.length]).toEqual([1, 4]);
  });

  it('follows a name whose addresses change and keeps the old ones while it does not resolve', async () => {
    const { port } = new URL(urls[0]);
    let ips: string[] | Error = ['127.0.0.1'];
    const client = await clientOf([`http://ingestion.example:${port}`], async () => {
      if (ips instanceof Error) throw ips;
      return ips;
    });
    const [addresses] = opened;
    await client.carry([event('a')], deadlines(1_000));
    ips = new Error('no answer');
    await addresses.refresh();
    await client.carry([event('a')], deadlines(1_000));
    ips = ['127.0.0.1', '127.0.0.2'];
    await addresses.refresh();
    expect(addresses.size()).toBe(2);
    ips = ['127.0.0.2'];
    await addresses.refresh();
    expect(addresses.size()).toBe(1);
  });
});
