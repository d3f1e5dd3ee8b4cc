import { freshName, localStack } from '@podium/testing';
import { pino } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupPositions } from './group-positions';
import { TopicRow, topics } from '@podium/messages';

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const row: TopicRow = { ...topics.links, name: freshName('positions'), partitions: 2, consumers: [] };

describe('GroupPositions', () => {
  beforeAll(() => ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 }));

  it('leaves no connection when it is closed at any point of a request, and rejects later requests', async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
    const before = sockets();
    for (let waitMs = 0; waitMs < 60; waitMs += 3) {
      const positions = new GroupPositions(kafka, logger);
      const request = positions.ends(row.name).catch(() => undefined);
      const secondRequest = request.then(() => positions.committed('nobody', row.name)).catch(() => undefined);
      await sleep(waitMs);
      await positions.close();
      await Promise.all([request, secondRequest]);
      await expect(positions.ends(row.name)).rejects.toThrow('closed');
    }
    for (const end = Date.now() + 10_000; sockets() > before; await sleep(50))
      if (Date.now() > end) throw new Error(`${sockets() - before} connections are left`);
  });
});
