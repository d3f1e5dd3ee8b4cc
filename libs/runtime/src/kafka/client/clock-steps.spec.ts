import BrokerPool from 'kafkajs/src/cluster/brokerPool';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import RequestQueue, { RequestQueue as Queue } from 'kafkajs/src/network/requestQueue';
import { pino } from 'pino';
import { createKafka } from './create-kafka';

createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger: pino({ level: 'silent' }) });

const log = { namespace: () => log, debug() {}, info() {}, warn() {}, error() {} };
const hourMs = 3_600_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sets the time of day of this process back by an hour. */
function setBack(): void {
  const realNow = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() - hourMs);
}

describe('with the time of day set back by an hour, the client', () => {
  let queue: Queue;
  let asked: number;
  let sent: number;

  beforeEach(() => {
    [asked, sent] = [0, 0];
    queue = queueOf(() => true);
  });
  afterEach(() => {
    queue.destroy();
    jest.restoreAllMocks();
  });

  function queueOf(isConnected: () => boolean): Queue {
    const opened = new RequestQueue({
      ...{ requestTimeout: 200, enforceRequestTimeout: true, maxInFlightRequests: null },
      ...{ clientId: 'spec', broker: '127.0.0.1:1', logger: log, isConnected },
    });
    opened.scheduleRequestTimeoutCheck();
    return opened;
  }

  /** Resolves with the name of the error by which a request ends that gets no response, or after a second. */
  function request(): Promise<string> {
    const ended = new Promise<string>((resolve) =>
      queue.push({
        entry: {
          ...{ apiKey: 0, apiName: 'Produce', apiVersion: 7, correlationId: asked++ },
          ...{ resolve: () => resolve('answered'), reject: ({ name }: Error) => resolve(name) },
        },
        expectResponse: true,
        sendRequest: () => void sent++,
      }),
    );
    return Promise.race([ended, pause(1_000).then(() => 'still waiting')]);
  }

  it('gives up a request to a silent broker after its timeout', async () => {
    const ended = request();
    setBack();
    expect(await ended).toBe('KafkaJSRequestTimeoutError');
  });

  it('gives up a request to a silent broker also while its connection is being closed', async () => {
    queue.destroy();
    queue = queueOf(() => false);
    const ended = request();
    const closed = queue.waitForPendingRequests().then(() => 'closed');
    expect(await ended).toBe('KafkaJSRequestTimeoutError');
    expect(await Promise.race([closed, pause(500).then(() => 'still waiting')])).toBe('closed');
  });

  it('gives up no request early when the time of day is set forward', async () => {
    const ended = request();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + hourMs);
    expect(await Promise.race([ended, pause(150).then(() => 'in time')])).toBe('in time');
    await ended;
  });

  it('holds requests as long as a broker has asked for, and no longer', async () => {
    // That of SASL, with which a connection begins.
    queue.maybeThrottle(undefined);
    queue.maybeThrottle(150);
    const held = request();
    setBack();
    const further = request();
    expect(sent).toBe(0);
    expect([await held, await further]).toEqual(Array(2).fill('KafkaJSRequestTimeoutError'));
    expect(sent).toBe(2);
  });

  it('holds requests until the end of the longest time that a broker has asked for', async () => {
    queue.maybeThrottle(300);
    queue.maybeThrottle(10);
    const held = request();
    await pause(100);
    expect(sent).toBe(0);
    await held;
    expect(sent).toBe(1);
  });

  it('goes on with its heartbeats', async () => {
    const beats: object[] = [];
    const group = new ConsumerGroup({
      ...{ cluster: {}, topics: [], topicConfigurations: {}, logger: log, retry: {} },
      ...{ groupId: 'g', instrumentationEmitter: { emit: () => undefined } },
    });
    Object.assign(group, { memberId: 'm', coordinator: { heartbeat: async (beat: object) => void beats.push(beat) } });
    await group.heartbeat({ interval: 50 });
    expect(beats).toHaveLength(0);
    setBack();
    await group.heartbeat({ interval: 50 });
    await group.heartbeat({ interval: 50 });
    expect(beats).toHaveLength(1);
  });

  it('replaces its metadata when they are old', async () => {
    let refreshes = 0;
    const pool = Object.assign(Object.create(BrokerPool.prototype) as InstanceType<typeof BrokerPool>, {
      ...{ metadata: { topicMetadata: [] }, metadataMaxAge: 5_000, metadataExpireAt: Date.now() + 5_000 },
      refreshMetadata: async () => void refreshes++,
    });
    await pool.refreshMetadataIfNecessary([]);
    expect(refreshes).toBe(0);
    setBack();
    await pool.refreshMetadataIfNecessary([]);
    expect(refreshes).toBe(1);
  });
});
