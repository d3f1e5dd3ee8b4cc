import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup, TopicRow, topics } from '@podium/messages';
import { RecordProducer, createKafka, deadLetterTopic, ensureTopics, redriveTopic } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { freshName, localStack } from '@podium/testing';
import { runPodium } from '../podium';
import { quietLogger as logger } from '../cli/server-connections';

const brokers = [...localStack().kafkaBrokers];
const kafka = createKafka({ brokers, clientId: 'spec', logger });
const group = freshName('lag') as ConsumerGroup;
const row: TopicRow = { ...topics.userEvents, name: freshName('lag'), partitions: 2, consumers: [group] };

describe('lag', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const admin = kafka.admin();
  const sentAtMs: number[] = [];

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await Promise.all([producer.start(), admin.connect()]);
    for (let turn = 0; turn < 3; turn++) {
      for (const partition of [0, 1])
        await producer.send(
          { topic: row, key: 'k', value: Buffer.from('v'), partition },
          { deadlineMs: Date.now() + 5_000 },
        );
      sentAtMs.push(Date.now());
      await sleep(1_100);
    }
    await admin.setOffsets({
      groupId: group,
      topic: row.name,
      partitions: [
        { partition: 0, offset: '1' },
        { partition: 1, offset: '3' },
      ],
    });
  });

  afterAll(async () => {
    await producer.stop();
    await admin.deleteTopics({ topics: [row.name, deadLetterTopic(group, row).name, redriveTopic(group, row).name] });
    await admin.deleteGroups([group]).catch(() => undefined);
    await admin.disconnect();
  });

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await runPodium(args, {
      env: { KAFKA_BROKERS: brokers.join(',') },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: [row],
    });
    return { code, out, err };
  }

  it('of a stopped group is the number of records after its commit, and the age of the first', async () => {
    const { out } = await run('lag', '--json', '--partitions');
    const [first, second] = JSON.parse(out) as { seconds: number }[];
    expect(first).toMatchObject({ group, topic: row.name, partition: 0, members: 0, position: 1, records: 2 });
    expect(second).toMatchObject({ partition: 1, position: 3, records: 0, seconds: 0 });
    const sinceSecondS = (Date.now() - sentAtMs[1]) / 1000;
    expect(first.seconds).toBeLessThanOrEqual(sinceSecondS + 1);
    // The record before the commit is older than the first unread one by more than a second.
    expect(first.seconds).toBeLessThan((Date.now() - sentAtMs[0]) / 1000);
    expect(first.seconds).toBeGreaterThan(1);
  });

  it('is summed per group and topic', async () => {
    const { out } = await run('lag', '--json', '--group', group);
    expect(JSON.parse(out)).toMatchObject([
      { topic: row.name, records: 2 },
      { topic: redriveTopic(group, row).name, records: 0, seconds: 0 },
    ]);
    expect((await run('lag')).out).toMatch(/2 +\d+ s\n/);
  });

  it('refuses a group that reads nothing', async () => {
    expect(await run('lag', '--group', 'none')).toMatchObject({ code: 2, err: 'No group none reads a topic.\n' });
  });
});
