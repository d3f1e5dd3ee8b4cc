import { once } from 'node:events';
import { AddressInfo, Server, connect, createServer } from 'node:net';
import Cluster, { AskedOffsets } from 'kafkajs/src/cluster';
import BrokerPool from 'kafkajs/src/cluster/brokerPool';
import ConsumerGroup, { ConsumerGroup as Group } from 'kafkajs/src/consumer/consumerGroup';
import Runner, { Runner as GroupRunner } from 'kafkajs/src/consumer/runner';
import Connection from 'kafkajs/src/network/connection';
import Encoder from 'kafkajs/src/protocol/encoder';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { unreadPartitions } from './unread-partitions';

createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger: pino({ level: 'silent' }) });

const errorNamed = (name: string): Error => Object.assign(new Error(name), { name, broker: '127.0.0.1:3' });
const refused = errorNamed('KafkaJSConnectionError');

/** The errors by which one broker does not answer. */
const unanswered = ['KafkaJSConnectionError', 'KafkaJSConnectionClosedError', 'KafkaJSRequestTimeoutError'].map(
  errorNamed,
);

const log = { namespace: () => log, debug() {}, info() {}, warn() {}, error() {} };

describe('a fetch of a group from one broker', () => {
  let heartbeats: number;
  let heartbeat: () => Promise<void>;
  let refreshes: number;
  let nodeIds: string[];
  let closed: number;
  const events: string[] = [];
  const fetches = {
    ...{ isConnected: () => true, disconnect: async () => true },
    socket: { destroy: () => void closed++ },
  };
  const brokers = { 3: { brokerAddress: '127.0.0.1:3', connectionPool: { pool: [{}, fetches] } } };

  function runnerWith(fetchOffsets: () => Promise<void>): GroupRunner {
    const group = Object.create(ConsumerGroup.prototype) as Group;
    const cluster = {
      brokerPool: { brokers },
      refreshMetadataIfNecessary: () => fetchOffsets(),
      refreshMetadata: async () => void refreshes++,
    };
    Object.assign(group, {
      ...{ cluster, logger: log },
      getNodeIds: () => nodeIds,
      assigned: () => [{ topic: 't', partitions: [0, 1] }],
      filterPartitionsByNode: (nodeId: string) => [{ topic: 't', partitions: nodeId === '3' ? [1] : [0] }],
      heartbeat: () => heartbeat(),
      joinAndSync: () => Promise.reject(new Error('joined again')),
    });
    const instrumentationEmitter = { emit: (name: string) => void events.push(name.split('.').at(-1)!) };
    const runner = new Runner({
      logger: log,
      consumerGroup: group,
      instrumentationEmitter,
      concurrency: 1,
      onCrash() {},
    });
    return Object.assign(runner, { running: true });
  }

  beforeEach(() => {
    heartbeats = refreshes = closed = events.length = 0;
    heartbeat = async () => void heartbeats++;
    nodeIds = ['1', '2', '3'];
  });

  it.each(unanswered)(
    'that has no answer ($name) returns nothing after a pause, and is not reported as answered',
    async (error) => {
      const runner = runnerWith(() => Promise.reject(error));
      const began = performance.now();
      expect(await runner.fetch('3')).toEqual([]);
      expect(performance.now() - began).toBeGreaterThan(80);
      expect(await runner.fetch('3')).toEqual([]);
      expect(performance.now() - began).toBeGreaterThan(280);
      expect(events).toEqual(['fetch_start', 'fetch_start']);
      expect(refreshes).toBe(2);
      expect(heartbeats).toBeGreaterThan(2);
      expect(unreadPartitions.byTopic().get('t')).toEqual([1]);
    },
  );

  it('is repeated over a new connection after the third one, because the other end may have vanished', async () => {
    const runner = runnerWith(() => Promise.reject(unanswered[2]));
    for (const soFar of [0, 0, 1, 1]) {
      await runner.fetch('3');
      expect(closed).toBe(soFar);
    }
  });

  it('ends when the member has lost its coordinator or its group', async () => {
    heartbeat = () => Promise.reject(refused);
    await expect(runnerWith(() => Promise.reject(refused)).fetch('3')).rejects.toBe(refused);
  });

  it('does not wait when the client stops', async () => {
    const stopped = runnerWith(() => Promise.reject(refused));
    heartbeat = async () => {
      heartbeats++;
      Object.assign(stopped, { running: false });
    };
    expect(await stopped.fetch('3')).toEqual([]);
    // A wait begins with another one.
    expect(heartbeats).toBe(1);
  });

  it('waits only shortly when the brokers have changed, but never not at all', async () => {
    const changed = runnerWith(() => Promise.reject(refused));
    heartbeat = async () => {
      heartbeats++;
      nodeIds = ['1', '2'];
    };
    const began = performance.now();
    for (let i = 0; i < 5; i++) {
      nodeIds = ['1', '2', '3'];
      expect(await changed.fetch('3')).toEqual([]);
    }
    expect(performance.now() - began).toBeGreaterThan(400);
    // One each 50 ms: the pauses of five failures without such a change have 60.
    expect(heartbeats).toBeLessThan(30);
  });

  it('rejects with any other error', async () => {
    const other = errorNamed('KafkaJSNoBrokerAvailableError');
    await expect(runnerWith(() => Promise.reject(other)).fetch('3')).rejects.toBe(other);
    expect(heartbeats).toBe(0);
  });

  it('asks for the starting offsets of its own partitions', async () => {
    const asked: object[] = [];
    const offsetManager = {
      memberAssignment: { t: [0, 1], other: [4] },
      topics: ['t', 'other'],
      async resolveOffsets() {
        asked.push({ ...{ topics: this.topics, memberAssignment: this.memberAssignment } });
      },
    };
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as Group, {
      ...{ offsetManager, seekOffset: { pop: () => undefined }, logger: log },
    });
    await group.seekOffsets([{ topic: 't', partitions: [1] }]);
    expect(asked).toEqual([{ topics: ['t'], memberAssignment: { t: [1] } }]);
  });
});

describe('offsets', () => {
  /** Broker 3 leads partition 1, broker 2 the others. */
  function clusterWith(answers: Readonly<Record<string, Error | undefined>>) {
    const cluster = Object.create(Cluster.prototype) as InstanceType<typeof Cluster>;
    const partitionMetadata = [2, 3, 2].map((leader, partitionId) => ({ partitionId, leader }));
    const brokerPool = {
      metadata: { topicMetadata: [{ topic: 't', partitionMetadata }] },
      brokers: {},
      metadataExpireAt: 1,
    };
    const findBroker = async ({ nodeId }: { nodeId: string }) => {
      const error = answers[nodeId];
      if (error) throw error;
      return {
        listOffsets: async ({ topics }: { topics: { topic: string; partitions: { partition: number }[] }[] }) => ({
          responses: topics.map(({ topic, partitions }) => ({
            topic,
            partitions: partitions.map(({ partition }) => ({ partition, offset: `7${partition}` })),
          })),
        }),
      };
    };
    return Object.assign(cluster, { brokerPool, findBroker });
  }

  const asked = (rest: Partial<AskedOffsets> = { fromBeginning: true }): AskedOffsets[] => [
    { topic: 't', partitions: [0, 1, 2].map((partition) => ({ partition })), ...rest },
  ];
  const [first, third] = [0, 2].map((partition) => ({ partition, offset: `7${partition}` }));

  it.each(unanswered)('are known of the brokers that answer ($name), and metadata are then replaced', async (error) => {
    const cluster = clusterWith({ 3: error });
    const [{ partitions }] = await cluster.fetchTopicsOffset(asked());
    expect(partitions).toEqual([first, third, { partition: 1 }]);
    expect(cluster.brokerPool.metadataExpireAt).toBeNull();
  });

  it('are an error when no broker answers, or one with another error', async () => {
    await expect(clusterWith({ 2: refused, 3: refused }).fetchTopicsOffset(asked())).rejects.toBe(refused);
    const moved = errorNamed('KafkaJSProtocolError');
    await expect(clusterWith({ 2: refused, 3: moved }).fetchTopicsOffset(asked())).rejects.toBe(moved);
  });

  it('of a timestamp are all known or an error', async () => {
    const cluster = clusterWith({ 3: refused });
    await expect(cluster.fetchTopicsOffset(asked({ fromTimestamp: 5 }))).rejects.toBe(refused);
    const [{ partitions }] = await clusterWith({}).fetchTopicsOffset(asked({ fromTimestamp: 5 }));
    expect(partitions).toHaveLength(3);
  });
});

describe('what any broker can answer', () => {
  type Pool = InstanceType<typeof Object> & typeof BrokerPool.prototype;
  const poolOf = (findBroker: (of: { nodeId: string }) => Promise<object>): Pool =>
    Object.assign(Object.create(BrokerPool.prototype) as Pool, {
      brokers: Object.fromEntries(['1', '2', '3'].map((id) => [id, { brokerAddress: id, isConnected: () => true }])),
      findBroker,
    });

  it('is asked of one that accepts the connection', async () => {
    const pool = poolOf(async ({ nodeId }) => {
      if (nodeId !== '2') throw refused;
      return {};
    });
    for (let i = 0; i < 10; i++)
      expect(await pool.withBroker(async ({ nodeId }) => ({ nodeId }))).toEqual({ nodeId: '2' });
  });

  it('is asked first of one to which a connection is open, because another one may be out of reach', async () => {
    const pool = poolOf(async () => ({}));
    Object.assign(pool.brokers['1'], { isConnected: () => false });
    Object.assign(pool.brokers['3'], { isConnected: () => false });
    for (let i = 0; i < 10; i++)
      expect(await pool.withBroker(async ({ nodeId }) => ({ nodeId }))).toEqual({ nodeId: '2' });
  });

  it('is asked of the next one when one fails, and is an error when none accepts a connection', async () => {
    const asked: string[] = [];
    const failing = poolOf(async () => ({}));
    const answer = failing.withBroker(async ({ nodeId }) => {
      asked.push(nodeId);
      throw refused;
    });
    expect(await answer).toBeNull();
    expect(asked.sort()).toEqual(['1', '2', '3']);
    await expect(poolOf(() => Promise.reject(refused)).withBroker(async () => ({}))).rejects.toBe(refused);
  });

  it('has no answer when some accept no connection and the others fail', async () => {
    const pool = poolOf(async ({ nodeId }) => {
      if (nodeId === '2') throw refused;
      return {};
    });
    expect(await pool.withBroker(() => Promise.reject(refused))).toBeNull();
  });
});

describe('a connection', () => {
  let server: Server;
  let connection: InstanceType<typeof Connection>;
  /** How many bytes of its response each connection gets before it is closed; the last gets all. */
  const given = [9, Infinity];

  beforeAll(async () => {
    server = createServer((socket) => {
      const bytes = given.shift()!;
      socket.on('data', (request) => {
        const response = Buffer.alloc(12);
        response.writeInt32BE(8);
        request.copy(response, 4, 8, 12);
        socket.write(response.subarray(0, bytes));
        if (bytes < 12) socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    connection = new Connection({
      ...{ ...place, logger: log, connectionTimeout: 1_000, requestTimeout: 1_000 },
      socketFactory: ({ onConnect }: { onConnect: () => void }) => connect(place, onConnect),
    });
  });
  afterAll(async () => {
    await connection.disconnect();
    server.close();
  });

  it('does not continue a response that was cut off when it was last open', async () => {
    const exchange = {
      request: { apiKey: 18, apiVersion: 0, apiName: 'x', encode: async () => new Encoder() },
      response: { decode: async (bytes: Buffer) => bytes, parse: async (bytes: Buffer) => bytes },
    };
    await connection.connect();
    await expect(connection.send(exchange)).rejects.toThrow('Closed connection');
    await connection.connect();
    expect(await connection.send(exchange)).toHaveLength(4);
  });

  it('adds no listeners to its closed socket, however often it is ended', async () => {
    const socket = connection.socket!;
    const closed = once(socket, 'close');
    await connection.disconnect();
    await closed;
    for (let i = 0; i < 20; i++) await connection.disconnect();
    expect(socket.listenerCount('connect')).toBeLessThan(5);
  });
});
