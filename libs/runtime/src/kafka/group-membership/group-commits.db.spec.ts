import { once } from 'node:events';
import { Server, Socket, connect, createServer } from 'node:net';
import { TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupConsumer, GroupConsumerOptions } from './group-consumer';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';

const lines: { msg: string }[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
const [broker] = localStack().kafkaBrokers;
const kafka = createKafka({ brokers: [broker], clientId: 'spec', logger });
const row: TopicRow = { ...topics.links, name: freshName('commits'), partitions: 1, consumers: [] };
const offsetCommit = 8;
const notCoordinator = 16;

describe('commits of a group', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const consumers: GroupConsumer[] = [];

  const start = async (options: Partial<GroupConsumerOptions> & { group: string }): Promise<void> => {
    const consumer = new GroupConsumer({
      kafka,
      topics: [row.name],
      logger,
      probe: positions,
      onBatch: ({ lastOffset, commit }) => commit(lastOffset + 1n),
      onUndecodable: () => Promise.reject(new Error('nothing here is undecodable')),
      onFatal: (error) => {
        throw error;
      },
      ...options,
    });
    consumers.push(consumer);
    await consumer.start();
  };
  const committed = async (group: string): Promise<string> => {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [row.name] });
      return partitions[0]?.offset ?? '-1';
    } finally {
      await admin.disconnect();
    }
  };
  const untilCommitted = async (group: string, offset: string): Promise<void> => {
    for (const endMs = Date.now() + 60_000; (await committed(group)) !== offset;)
      if (Date.now() > endMs) throw new Error(`${group} has committed ${await committed(group)}, not ${offset}`);
      else await new Promise((wait) => setTimeout(wait, 100));
  };

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    for (const key of ['a', 'b', 'c'])
      await producer.send({ topic: row, key, value: Buffer.from('v') }, { deadlineMs: Date.now() + 10_000 });
  });

  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await Promise.all([producer.stop(), positions.close()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.disconnect();
  }, 60_000);

  it('follow the store, even when the last one was lost and no new record arrives', async () => {
    const group = freshName('commits');
    await start({ group, positions: { load: () => Promise.resolve(3n) } });
    await untilCommitted(group, '3');
  }, 90_000);

  it('that permanently go to a former coordinator are repaired by another client', async () => {
    const group = freshName('commits');
    const former = await FormerCoordinator.before(broker);
    let replaced = 0;
    try {
      const through = createKafka({ brokers: [broker], clientId: 'spec', logger, socketFactory: former.open });
      await start({ group, kafka: through, coordinatorPatienceMs: 2_000, onReplaced: () => replaced++ });
      await untilCommitted(group, '3');
      expect(replaced).toBe(1);
      expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('commits to a former coordinator')]);
      expect(former.refused).toBeGreaterThan(1);
    } finally {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
      await former.close();
    }
  }, 90_000);
});

/** A proxy to a broker that refuses the commits of the first member, like a broker that is not the coordinator. */
class FormerCoordinator {
  refused = 0;
  private firstClientPort: number | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  static async before(address: string): Promise<FormerCoordinator> {
    const [host, port] = address.split(':');
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FormerCoordinator(server, { host, port: Number(port) });
  }

  readonly open = ({ onConnect }: { onConnect: () => void }): Socket => {
    const { port } = this.server.address() as { port: number };
    return connect({ host: '127.0.0.1', port }, onConnect);
  };

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    const server = connect(this.target);
    const commits = new Set<number>();
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    forEachFrame(client, (frame) => {
      if (frame.readInt16BE(4) === offsetCommit) {
        this.firstClientPort ??= client.remotePort;
        if (client.remotePort === this.firstClientPort) {
          commits.add(frame.readInt32BE(8));
          changeGeneration(frame);
        }
      }
      server.write(frame);
    });
    forEachFrame(server, (frame) => {
      if (commits.delete(frame.readInt32BE(4))) this.refuse(frame);
      client.write(frame);
    });
  }

  /** Writes the error into the response: length, number, throttle time, topics, the first one's name, partitions, partition, error. */
  private refuse(frame: Buffer): void {
    this.refused++;
    const nameLength = frame.readInt16BE(16);
    frame.writeInt16BE(notCoordinator, 18 + nameLength + 8);
  }
}

/** Makes the broker refuse the commit by an unknown generation, which follows client and group, two texts. */
function changeGeneration(frame: Buffer): void {
  const group = 12 + 2 + frame.readInt16BE(12);
  const generation = group + 2 + frame.readInt16BE(group);
  frame.writeInt32BE(frame.readInt32BE(generation) + 1_000, generation);
}

/** Frames of Kafka's protocol, each with a length prefix of four bytes. */
function forEachFrame(socket: Socket, handle: (frame: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const length = 4 + rest.readInt32BE(0);
      handle(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
