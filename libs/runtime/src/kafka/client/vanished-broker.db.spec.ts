import { Socket } from 'node:net';
import { BlackHole, freshName, keepAliveOf, localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKafka } from './create-kafka';
import { RecordProducer } from '../producing/record-producer';
import { createTopics } from '../topic-administration/create-topics';
import { socketFactory } from './socket-factory';

const logger = pino({ level: 'silent' });
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a broker whose node has vanished without closing its connections', () => {
  const brokers = [...localStack().kafkaBrokers];
  const topic = { name: freshName('vanished'), partitions: 1 };
  const admin = createKafka({ brokers, clientId: 'spec', logger }).admin();
  const sockets: Socket[] = [];
  let way: BlackHole;
  let producer: RecordProducer;

  beforeAll(async () => {
    await admin.connect();
    await createTopics(admin, [{ topic: topic.name, numPartitions: 1 }]);
    way = await BlackHole.before(`tcp://${brokers[0]}`);
    const connect = socketFactory(() => ({ host: '127.0.0.1', port: way.port }));
    const kafka = createKafka({
      ...{ brokers, clientId: 'spec', logger },
      socketFactory: (args) => {
        const socket = connect(args) as Socket;
        sockets.push(socket);
        return socket;
      },
    });
    producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [topic] });
    await producer.start();
  });
  afterAll(async () => {
    await producer.stop();
    await way.close();
    await admin.deleteTopics({ topics: [topic.name] });
    await admin.disconnect();
  });

  const send = (inMs: number) =>
    producer.send({ topic, key: 'k', value: Buffer.from('v') }, { deadlineMs: Date.now() + inMs });

  it('fails one request of the producer, which then sends over another connection', async () => {
    await send(10_000);
    way.strand();
    expect(await send(30_000)).toMatchObject({ partition: 0 });
  }, 60_000);

  it('fails no more than that when the broker comes back later', async () => {
    way.stall();
    await expect(send(8_000)).rejects.toThrow();
    way.resume();
    expect(await send(30_000)).toMatchObject({ partition: 0 });
  }, 60_000);

  onLinux('is asked whether it is there', async () => {
    await send(10_000);
    const { localPort = 0, remotePort = 0 } = sockets.findLast((socket) => !socket.destroyed)!;
    expect(await keepAliveOf({ localPort, remotePort })).toBeLessThanOrEqual(5.1);
  });
});
