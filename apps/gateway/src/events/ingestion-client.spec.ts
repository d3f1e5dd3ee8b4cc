import { pino } from 'pino';
import { BatchedAnswer, BatchedEvent } from '@podium/messages';
import { freePort } from '@podium/testing/free-port';
import { FakeIngestion, accepted, ownToken } from '../../test/fake-ingestion';
import { BatchDeadlines } from './event-batches';
import { IngestionAddresses } from './ingestion-addresses';
import { IngestionClient } from './ingestion-client';

const logger = pino({ level: 'silent' });

function event(requestId: string): BatchedEvent {
  return { platform: 'p', requestId, receivedAtMs: 1, traceparent: 't', body: Buffer.from('{}') };
}

function deadlines(ms: number): BatchDeadlines {
  return { ingestionAtMs: performance.now() + ms, gatewayAtMs: performance.now() + ms + 100 };
}

const unavailable: BatchedAnswer = { status: 503, retryAfterS: 2, body: Buffer.from('{}') };
const notProduced = { 'x-podium-not-produced': '1' };

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
      ingestion.answer = accepted;
      ingestion.notProduced = false;
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
    for (let batch = 0; batch < 10; batch++) await client.carry([event('a')], deadlines(5_000));
    expect([first.batches.length, second.batches.length]).toEqual([5, 5]);
    expect(client.maxInFlight()).toBe(4);
  });

  it('tries another address each time a connection is refused', async () => {
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
    for (let batch = 0; batch < 4; batch++) await mixed.carry([event('a')], deadlines(5_000));
    expect(first.batches).toHaveLength(4);
  });

  it('fails at the deadline when there is no instance', async () => {
    const client = await clientOf([`http://127.0.0.1:${await freePort()}`]);
    await expect(client.carry([event('a')], deadlines(400))).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('never resends events that may have arrived: timeout, broken connection, other status, malformed frame', async () => {
    const client = await clientOf([urls[0]]);
    first.whole = () => undefined;
    await expect(client.carry([event('a')], deadlines(200))).rejects.toThrow();
    first.whole = (_request, response) => response.destroy();
    await expect(client.carry([event('a')], deadlines(5_000))).rejects.toThrow();
    first.whole = (_request, response) => void response.writeHead(503).end();
    await expect(client.carry([event('a')], deadlines(5_000))).rejects.toThrow('ingestion answered 503');
    first.whole = (_request, response) => void response.end(Buffer.from('0000000209', 'hex'));
    await expect(client.carry([event('a')], deadlines(5_000))).rejects.toThrow('a frame is cut short');
    expect(first.batches).toHaveLength(4);
  });

  it('sends the remaining time, independent of the clock time', async () => {
    const client = await clientOf([urls[0]]);
    const [now, now2] = [Date.now(), Date.now() - 3_600_000];
    const clock = jest.spyOn(Date, 'now').mockReturnValueOnce(now).mockReturnValue(now2);
    await client.carry([event('a')], deadlines(2_000));
    clock.mockRestore();
    const [timeLeftMs] = first.timesLeftMs.slice(-1);
    expect(timeLeftMs).toBeGreaterThan(0);
    expect(timeLeftMs).toBeLessThanOrEqual(2_000);
  });

  describe('when one of two instances fails fast', () => {
    /** The instances ordered by the first batch: the one that got it fails from then on. */
    async function failing(
      fail: (ingestion: FakeIngestion) => void,
    ): Promise<{ client: IngestionClient; bad: FakeIngestion; good: FakeIngestion }> {
      const client = await clientOf(urls);
      await client.carry([event('a')], deadlines(5_000));
      const [bad, good] = first.batches.length > 0 ? [second, first] : [first, second];
      fail(bad);
      bad.batches.length = good.batches.length = 0;
      return { client, bad, good };
    }
    const refuse =
      (status: number, code: string) =>
      (ingestion: FakeIngestion): void => {
        ingestion.whole = (_request, response) =>
          void response.writeHead(status, notProduced).end(`{"error":{"code":"${code}","message":"m"}}`);
      };
    const answer503 = (ingestion: FakeIngestion): void => {
      ingestion.answer = () => unavailable;
      ingestion.notProduced = true;
    };

    it.each([
      ['with 503 for each event', answer503],
      ['with 503 for the whole batch', refuse(503, 'unavailable')],
      ['as overloaded', refuse(503, 'overloaded')],
      ['with 401, because its token differs', refuse(401, 'unauthorized')],
    ])('%s, every event is taken by the other, which gets nearly all', async (_how, fail) => {
      const { client, bad, good } = await failing(fail);
      for (let batch = 0; batch < 30; batch++)
        expect(await client.carry([event('a'), event('b')], deadlines(5_000))).toEqual([accepted(), accepted()]);
      expect(good.batches).toHaveLength(30);
      expect(bad.batches.length).toBeLessThanOrEqual(6);
    });

    it('only events that were not produced go to the other, and each event keeps its own response', async () => {
      const refusal: BatchedAnswer = { status: 404, retryAfterS: 60, body: Buffer.from('not linked') };
      const { client, bad, good } = await failing((ingestion) => {
        ingestion.notProduced = true;
        ingestion.answer = ({ requestId }) =>
          requestId === 'stranger' ? refusal : requestId === 'fine' ? accepted() : unavailable;
      });
      const events = ['x', 'stranger', 'y', 'fine', 'z'].map(event);
      let answers: readonly BatchedAnswer[] = [];
      while (bad.batches.length === 0) answers = await client.carry(events, deadlines(5_000));
      expect(answers).toEqual([accepted(), refusal, accepted(), accepted(), accepted()]);
      expect(good.batches.at(-1)?.map(({ requestId }) => requestId)).toEqual(['x', 'y', 'z']);
    });

    it('events that may be produced are sent to no other instance', async () => {
      const { client, bad, good } = await failing((ingestion) => (ingestion.answer = () => unavailable));
      let answers: readonly BatchedAnswer[] = [];
      while (bad.batches.length === 0) answers = await client.carry([event('a')], deadlines(5_000));
      expect(answers).toEqual([unavailable]);
      const before = bad.batches.length + good.batches.length;
      for (let batch = 0; batch < 10; batch++) await client.carry([event('a')], deadlines(5_000));
      expect(bad.batches.length + good.batches.length - before).toBe(10);
    });

    it('its responses are kept when the other one breaks the connection', async () => {
      const { client, bad, good } = await failing((ingestion) => {
        ingestion.notProduced = true;
        ingestion.answer = ({ requestId }) => (requestId === 'fine' ? accepted() : unavailable);
      });
      good.whole = (_request, response) => response.destroy();
      const carry = (): Promise<readonly BatchedAnswer[]> =>
        client.carry([event('fine'), event('x'), event('y')], deadlines(5_000));
      let answers: readonly BatchedAnswer[] = [];
      while (bad.batches.length === 0) answers = await carry().catch(() => []);
      expect(answers).toEqual([accepted(), unavailable, unavailable]);
    });

    it('it is probed after its rest with one batch at a time, and gets its share again after recovery', async () => {
      const { client, bad, good } = await failing(answer503);
      while (bad.batches.length === 0) await client.carry([event('a')], deadlines(5_000));
      bad.answer = accepted;
      bad.batches.length = good.batches.length = 0;
      for (const endMs = Date.now() + 20_000; bad.batches.length === 0 && Date.now() < endMs;)
        await client.carry([event('a')], deadlines(5_000));
      good.batches.length = bad.batches.length = 0;
      for (let batch = 0; batch < 20; batch++) await client.carry([event('a')], deadlines(5_000));
      expect([bad.batches.length, good.batches.length]).toEqual([10, 10]);
    });
  });

  it('tries at most three instances per batch while all fail, and finds a recovered one at once', async () => {
    const others = [new FakeIngestion(), new FakeIngestion()];
    const all = [first, second, ...others];
    const client = await clientOf([...urls, ...(await Promise.all(others.map((ingestion) => ingestion.start())))]);
    for (const ingestion of all) {
      ingestion.answer = () => unavailable;
      ingestion.notProduced = true;
    }
    for (let batch = 0; batch < 10; batch++) {
      for (const ingestion of all) ingestion.batches.length = 0;
      expect(await client.carry([event('a')], deadlines(5_000))).toEqual([unavailable]);
      expect(all.map(({ batches }) => batches.length).sort()).toEqual([0, 1, 1, 1]);
    }
    for (const ingestion of all) ingestion.answer = accepted;
    for (let batch = 0; batch < 10; batch++)
      expect(await client.carry([event('a')], deadlines(5_000))).toEqual([accepted()]);
    await Promise.all(others.map((ingestion) => ingestion.stop()));
  });

  it('lets an address rest after a timeout', async () => {
    const client = await clientOf(urls);
    first.whole = second.whole = (_request, response) => void setTimeout(() => response.destroy(), 2_000).unref();
    await expect(client.carry([event('slow')], deadlines(200))).rejects.toThrow();
    const [resting, other] = first.batches.length > 0 ? [first, second] : [second, first];
    first.whole = second.whole = null;
    for (let batch = 0; batch < 4; batch++) await client.carry([event('a')], deadlines(5_000));
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
    await client.carry([event('a')], deadlines(5_000));
    ips = new Error('no answer');
    await addresses.refresh();
    await client.carry([event('a')], deadlines(5_000));
    ips = ['127.0.0.1', '127.0.0.2'];
    await addresses.refresh();
    expect(addresses.size()).toBe(2);
    ips = ['127.0.0.2'];
    await addresses.refresh();
    expect(addresses.size()).toBe(1);
  });
});
