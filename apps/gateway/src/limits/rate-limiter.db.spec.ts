import { AddressInfo, Server, Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from '@podium/runtime/metrics';
import { FastRedis } from '@podium/runtime/redis';
import { freshName, localStack } from '@podium/testing';
import { perSecond } from './gcra';
import { InstanceCount } from './instance-count';
import { admitScript } from './limiter-scripts';
import { LocalShare } from './local-share';
import { RateLimiter } from './rate-limiter';
import { defaultEventRate } from './event-rate';

const eventRate = defaultEventRate.cells;

/** A pause of a busy machine is no loss of Redis here: a cut connection fails its commands at once. */
const commandTimeoutMs = 2_000;

/** A connection to Redis that can be broken and restored. */
class CutRedis {
  /** All commands that were sent, of this spec alone: other specs use the same Redis. */
  sent = '';
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  async restore(): Promise<string> {
    const { hostname, port } = new URL(localStack().redisUrl);
    this.server = createServer((client) => {
      const redis = connect(Number(port), hostname);
      for (const socket of [client, redis]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => this.sockets.delete(socket));
      }
      client.on('data', (bytes) => (this.sent += bytes.toString('latin1')));
      client.pipe(redis).pipe(client);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return `redis://127.0.0.1:${this.port}/0`;
  }

  async cut(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

interface Instance {
  limiter: RateLimiter;
  count: InstanceCount;
  redis: FastRedis;
}

/** A request that was admitted; times in seconds of the monotonic clock. */
interface Admitted {
  readonly askedS: number;
  readonly answeredS: number;
}

/** What was admitted of requests far above the rate. */
interface Pressed {
  readonly admitted: readonly Admitted[];
  /** From the answer to the first ones until the last ones were asked, seconds: they surely lasted so long. */
  readonly forS: number;
}

describe('the limiter over two instances', () => {
  const way = new CutRedis();
  const instancesKey = freshName('instances');
  const raw = new Redis(localStack().redisUrl);
  let instances: Instance[];

  beforeAll(async () => {
    const url = await way.restore();
    instances = await Promise.all(['a', 'b'].map((name) => startInstance(url, name)));
    while (instances.some(({ count }) => count.instances() < 2)) await sleep(20);
  });
  afterAll(async () => {
    for (const { redis, count } of instances) {
      await count.stop();
      await redis.stop();
    }
    await way.cut();
    await raw.quit();
  });

  async function startInstance(url: string, name: string): Promise<Instance> {
    const redis = new FastRedis({ url, commandTimeoutMs }, pino({ level: 'silent' }), new Registry());
    await redis.start();
    const count = new InstanceCount(redis, { instance: name, minInstances: 1, key: instancesKey });
    await count.start();
    return { redis, count, limiter: new RateLimiter(redis, new LocalShare(() => count.instances()), 'gateway:rate') };
  }

  /**
   * Sends requests of a platform to both instances, each time more than a burst, so that pauses of this process leave none unused but
   * what is beyond a burst, a second: `forS` does not count that.
   */
  async function press(platform: string, forMs: number): Promise<Pressed> {
    const admitted: Admitted[] = [];
    const startedMs = performance.now();
    let lastS: number | undefined;
    let forS = 0;
    while (performance.now() - startedMs < forMs) {
      const askedS = performance.now() / 1000;
      const asked = instances.flatMap(({ limiter }) =>
        Array.from({ length: 25 }, () => limiter.take(platform, eventRate)),
      );
      const allowances = await Promise.all(asked);
      const answeredS = performance.now() / 1000;
      for (const { allowed } of allowances) if (allowed) admitted.push({ askedS, answeredS });
      if (lastS !== undefined) forS += Math.min(1, askedS - lastS);
      lastS = lastS === undefined ? answeredS : askedS;
      await sleep(10);
    }
    return { admitted, forS };
  }

  /**
   * The largest excess over 40·W·more of admitted requests in any window. A request is decided between its question and its
   * answer, so a window counts those that are entirely inside it: a delay of this process is no excess. One request is 25 ms of difference between clocks.
   */
  function worstExcess(admitted: readonly Admitted[], more = 1): number {
    let worst = 0;
    for (const { askedS: fromS } of admitted) {
      const inside = admitted.filter(({ askedS }) => askedS >= fromS);
      inside.forEach(({ answeredS }, at) => (worst = Math.max(worst, at + 1 - 40 * more * (answeredS - fromS))));
    }
    return worst;
  }

  it('keeps 40·W + 40 over both instances and admits 98 % of it (V4)', async () => {
    const { admitted, forS } = await press(freshName('p'), 3_000);
    expect(worstExcess(admitted)).toBeLessThanOrEqual(41);
    expect(admitted.length).toBeGreaterThanOrEqual(0.98 * 40 * forS + 39);
    expect(instances.map(({ limiter }) => limiter.isLocal())).toEqual([false, false]);
  });

  it('calls Redis once for all requests of one tick', async () => {
    const platforms = Array.from({ length: 20 }, () => freshName('p'));
    way.sent = '';
    const answers = await Promise.all(
      platforms.flatMap((platform) => [1, 2, 3].map(() => instances[0].limiter.take(platform, eventRate))),
    );
    expect(way.sent.split(admitScript.sha1)).toHaveLength(1 + 1);
    expect(answers.map(({ remaining }) => remaining)).toEqual(platforms.flatMap(() => [39, 38, 37]));
  });

  it('continues when Redis has lost the scripts', async () => {
    await raw.script('FLUSH');
    expect((await instances[0].limiter.take(freshName('p'), eventRate)).remaining).toBe(39);
    expect(instances[0].limiter.isLocal()).toBe(false);
  });

  it('recovers from an arrival time far ahead because the clock of Redis stepped back', async () => {
    const platform = freshName('p');
    const [seconds] = await raw.time();
    await raw.set(`gateway:rate:${platform}`, String((Number(seconds) + 3600) * 1e6), 'PX', 5_000);
    expect((await instances[0].limiter.take(platform, eventRate)).allowed).toBe(false);
    await sleep(100);
    expect((await instances[0].limiter.take(platform, eventRate)).allowed).toBe(true);
  });

  it('uses the local shares while Redis is unavailable, and the common rate when it is back', async () => {
    expect(instances.map(({ count }) => count.instances())).toEqual([2, 2]);
    const platform = freshName('p');
    const before = await press(platform, 500);
    await way.cut();
    const away = await press(platform, 3_000);
    expect(instances.map(({ limiter }) => limiter.isLocal())).toEqual([true, true]);
    await way.restore();
    while (instances.some(({ redis }) => redis.isAway())) await sleep(20);
    const back = await press(platform, 2_000);
    expect(instances.map(({ limiter }) => limiter.isLocal())).toEqual([false, false]);
    // The outage and the recovery may each admit one more burst.
    expect(worstExcess(away.admitted, 1.25)).toBeLessThanOrEqual(41);
    expect(away.admitted.length).toBeGreaterThanOrEqual(0.9 * 40 * away.forS);
    expect(worstExcess(back.admitted)).toBeLessThanOrEqual(41);
    const all = [before, away, back].flatMap(({ admitted }) => admitted);
    expect(worstExcess(all, 1.25)).toBeLessThanOrEqual(40 * 3 + 1);
  });

  it('is not local for want of a further request, once Redis is back', async () => {
    const [{ redis }] = instances;
    const rare = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:spec-rare-rate');
    await way.cut();
    expect((await rare.take(freshName('p'), eventRate)).allowed).toBe(true);
    const nowMs = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs() + 11_000);
    try {
      expect(rare.isLocal()).toBe(true);
      await way.restore();
      for (const endMs = Date.now() + 10_000; rare.isLocal(); await sleep(50)) expect(Date.now()).toBeLessThan(endMs);
    } finally {
      jest.restoreAllMocks();
    }
  });
});

describe('individual rates', () => {
  const redis = new FastRedis(
    { url: localStack().redisUrl, commandTimeoutMs },
    pino({ level: 'silent' }),
    new Registry(),
  );
  const limiter = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:spec-rate');

  beforeAll(() => redis.start());
  afterAll(() => redis.stop());

  it('apply to several callers in one call', async () => {
    const [slow, fast] = [freshName('k'), freshName('k')];
    const ask = (caller: string, rate: number, times: number) =>
      Array.from({ length: times }, () => limiter.take(caller, perSecond(rate)));
    const [slowly, fastly] = await Promise.all([Promise.all(ask(slow, 2, 5)), Promise.all(ask(fast, 10_000, 500))]);
    expect(limiter.isLocal()).toBe(false);
    expect(slowly.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
      [false, 0],
    ]);
    expect(slowly[4]).toMatchObject({ resetS: 1, retryAfterS: 1 });
    expect(fastly.every(({ allowed }) => allowed)).toBe(true);
    expect(fastly[499].remaining).toBe(9_500);
  });

  it('admit as many as are left of requests that are asked together, in the order of asking', async () => {
    const caller = freshName('k');
    const slow = { intervalUs: 10_000_000, burst: 10 };
    const asked = [4, 1, 8, 1].map((count) => limiter.takeSome(caller, slow, count));
    expect((await Promise.all(asked)).map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
      [4, 6],
      [1, 5],
      [5, 0],
      [0, 0],
    ]);
  });

  it('are separate for equal names in another namespace', async () => {
    const other = new RateLimiter(redis, new LocalShare(() => 1), 'gateway:spec-other-rate');
    const caller = freshName('k');
    expect((await limiter.take(caller, perSecond(3))).remaining).toBe(2);
    expect((await other.take(caller, perSecond(3))).remaining).toBe(2);
  });

  it('may change from one request to the next', async () => {
    const caller = freshName('k');
    expect((await limiter.take(caller, perSecond(1000))).remaining).toBe(999);
    expect((await limiter.take(caller, perSecond(5))).remaining).toBeLessThanOrEqual(4);
  });
});

describe('the count of instances', () => {
  it('leaves out one that was last heard before the clock of Redis stepped back', async () => {
    const raw = new Redis(localStack().redisUrl);
    const redis = new FastRedis(
      { url: localStack().redisUrl, commandTimeoutMs },
      pino({ level: 'silent' }),
      new Registry(),
    );
    const key = freshName('instances');
    const count = new InstanceCount(redis, { instance: 'live', minInstances: 1, key });
    try {
      const [seconds] = await raw.time();
      await raw.zadd(key, (Number(seconds) + 3600) * 1_000, 'stopped');
      await raw.zadd(key, (Number(seconds) - 5) * 1_000, 'other');
      await redis.start();
      await count.start();
      expect(count.instances()).toBe(2);
      expect(await raw.zrange(key, '0', '-1')).toEqual(['other', 'live']);
    } finally {
      await count.stop();
      await redis.stop();
      raw.disconnect();
    }
  });
});

describe('the share', () => {
  it('never counts fewer instances than configured', () => {
    const redis = new FastRedis(
      { url: localStack().redisUrl, commandTimeoutMs },
      pino({ level: 'silent' }),
      new Registry(),
    );
    const count = new InstanceCount(redis, { instance: 'a', minInstances: 4 });
    let nowUs = 0;
    const share = new LocalShare(
      () => count.instances(),
      () => nowUs,
    );
    expect(share.take('p', eventRate, 100).admitted).toBe(10);
    nowUs = 1_000_000;
    expect(share.take('p', eventRate, 100).admitted).toBe(10);
  });
});
