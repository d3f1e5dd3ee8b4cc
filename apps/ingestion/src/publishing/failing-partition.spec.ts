import { recordKey, topics } from '@podium/messages';
import { Kafka, RecordProducer, partitionOf } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Clocks, systemClocks } from '@podium/runtime/work';
import { ProducerBatch } from 'kafkajs';
import { AdmissionWorld, event } from '../../test/admission-world';
import { EventPublisher } from './event-publisher';

const notEnoughReplicas = 19;
const { name, partitions } = topics.userEvents;
const partitionOfUser = (user: string): number => partitionOf(recordKey('acme', user), partitions);
const failing = partitionOfUser('p-1');
const users = Array.from({ length: 100 }, (_, at) => `p-${at + 1}`).filter((user) => partitionOfUser(user) !== failing);

/** A broker that does not accept the partition of acme's p-1, and all others. */
class FailingPartition {
  isOver = false;
  readonly written: string[] = [];

  readonly kafka = {
    producer: () => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      sendBatch: async ({ topicMessages = [] }: ProducerBatch) => {
        const messages = topicMessages.flatMap((each) => each.messages);
        const isRefused = (partition: number | undefined): boolean => partition === failing && !this.isOver;
        for (const { partition, value } of messages) if (!isRefused(partition)) this.written.push(String(value));
        return [...new Set(messages.map(({ partition }) => partition!))].map((partition) => ({
          ...{ topicName: name, partition, baseOffset: '0' },
          errorCode: isRefused(partition) ? notEnoughReplicas : 0,
        }));
      },
    }),
    admin: () => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      fetchTopicMetadata: () => Promise.resolve({ topics: [] }),
    }),
  } as unknown as Kafka;
}

describe('a partition of the events that cannot be written', () => {
  const broker = new FailingPartition();
  let skewMs = 0;
  const monotonic = () => performance.now() + skewMs;
  const clocks: Clocks = { ...systemClocks, monotonic };
  const producer = new RecordProducer(broker.kafka, {
    ...{ logger: createLog({ service: 'test', instance: 'test', level: 'silent' }), registry: new Registry() },
    ...{ topics: [], clocks },
  });
  const world = new AdmissionWorld({ publisher: new EventPublisher(producer), clocks });
  for (const user of users) world.linked.add(`acme/${user}`);

  beforeAll(() => producer.start());
  afterAll(() => producer.stop(0));

  it('delays the others of a batch only briefly, and leaves its own to the retry of the partner', async () => {
    const [first] = await world.admission.admit([event({ id: 'e-0' })], monotonic() + 200);
    expect(first).toMatchObject({ status: 503, isUnknown: true });
    skewMs = 1_000;
    for (let round = 1; round <= 5; round++) {
      const batch = users.map((user, at) => event({ user, id: `e-${round}-${at}` }));
      const startedMs = performance.now();
      const [own, ...others] = await world.admission.admit(
        [event({ id: `e-${round}` }), ...batch],
        monotonic() + 4_000,
      );
      // Those that wait for the partition are answered at their deadline.
      expect(performance.now() - startedMs).toBeLessThan(3_500);
      expect(own).toMatchObject({ status: 503, isUnknown: true });
      expect(others.filter(({ status }) => status !== 200)).toEqual([]);
    }
    expect(world.marks.size).toBe(5 * users.length);
    expect(broker.written).toHaveLength(5 * users.length);
    broker.isOver = true;
    const retry = async () => (await world.admission.admit([event({ id: 'e-0' })], monotonic() + 4_000))[0].status;
    // The producer pauses for up to a second between its attempts.
    for (const endMs = monotonic() + 5_000; (await retry()) !== 200;) expect(monotonic()).toBeLessThan(endMs);
    expect(world.marks.size).toBe(5 * users.length + 1);
  });
});
