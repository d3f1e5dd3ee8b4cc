import { Socket } from 'node:net';
import { TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from '../client/create-kafka';
import { socketFactory } from '../client/socket-factory';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupPositions } from './group-positions';

const logger = pino({ level: 'silent' });
const row: TopicRow = { ...topics.links, name: freshName('positions'), partitions: 2, consumers: [] };

describe('GroupPositions', () => {
  const opened = new Set<Socket>();
  const connect = socketFactory();
  const kafka = createKafka({
    ...{ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger },
    socketFactory: (args) => {
      const socket = connect(args) as Socket;
      opened.add(socket);
      socket.once('close', () => opened.delete(socket));
      return socket;
    },
  });

  beforeAll(() => ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 }));

  afterEach(async () => {
    for (const end = Date.now() + 10_000; opened.size > 0; await sleep(50))
      if (Date.now() > end) throw new Error(`${opened.size} connections are left`);
  });

  it('leaves no connection when it is closed at any point of a request, and rejects later requests', async () => {
    for (let waitMs = 0; waitMs < 60; waitMs += 3) {
      const positions = new GroupPositions(kafka, logger);
      const request = positions.ends(row.name).catch(() => undefined);
      const secondRequest = request.then(() => positions.committed('nobody', row.name)).catch(() => undefined);
      await sleep(waitMs);
      await positions.close();
      await Promise.all([request, secondRequest]);
      await expect(positions.ends(row.name)).rejects.toThrow('closed');
    }
  });

  it('leaves no connection when a request fails at any point of another one, which is answered', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const positions = new GroupPositions(kafka, logger);
      await positions.ends(row.name);
      const request = positions.ends(row.name);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await expect(positions.ends('')).rejects.toThrow();
      expect(await request).toEqual([0n, 0n]);
      await positions.close();
    }
  });

  it('leaves no connection when it is closed at any point of a request for many groups', async () => {
    const groups = Array.from({ length: 20 }, () => freshName('nobody'));
    for (let turns = 0; turns < 60; turns++) {
      const positions = new GroupPositions(kafka, logger);
      await positions.ends(row.name);
      const requests = groups.map((group) => positions.memberCount(group).catch(() => undefined));
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await positions.close();
      await Promise.all(requests);
    }
  });
});
