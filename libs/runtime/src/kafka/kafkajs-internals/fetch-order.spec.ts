import { setTimeout as sleep } from 'node:timers/promises';
import { EachBatchPayload } from 'kafkajs';
import ConsumerGroup, { ConsumerGroup as Group } from 'kafkajs/src/consumer/consumerGroup';
import Runner, { Runner as GroupRunner } from 'kafkajs/src/consumer/runner';
import { pino } from 'pino';
import { createKafka } from '../client/create-kafka';
import { isOutdated } from './fetch-order';
import { GroupConsumer } from '../group-membership/group-consumer';

const logger = pino({ level: 'silent' });
createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger });

const log = { namespace: () => log, debug() {}, info() {}, warn() {}, error() {} };
const [topic, partition] = ['t', 0];

type Batch = EachBatchPayload['batch'];

/** A partition of 200 records, of which a broker answers ten from the requested offset when it is told to. */
class MovingPartition {
  leader = 'former';
  readonly group: Group;
  private readonly runner: GroupRunner;
  private next = 100;
  private readonly held = new Map<string, () => void>();

  constructor() {
    this.group = Object.create(ConsumerGroup.prototype) as Group;
    const settings = { retry: {}, groupId: 'g', topics: [topic], assigners: [], maxWaitTimeInMs: 1 };
    const cluster = {
      refreshMetadataIfNecessary: async () => undefined,
      findBroker: async ({ nodeId }: { nodeId: string }) => ({ fetch: this.answering(nodeId) }),
    };
    const offsetManager = {
      committedOffsets: () => ({ [topic]: { [partition]: '0' } }),
      nextOffset: () => this.next,
      seek: async ({ offset }: { offset: string }) => void (this.next = Number(offset)),
      resolveOffset: ({ offset }: { offset: string }) => void (this.next = Number(offset) + 1),
      resolveOffsets: async () => undefined,
    };
    const made = new ConsumerGroup({ ...settings, cluster, logger: log });
    const filterPartitionsByNode = (nodeId: string) => [
      { topic, partitions: nodeId === this.leader ? [partition] : [] },
    ];
    Object.assign(this.group, made, { offsetManager, filterPartitionsByNode });
    const subscription = this.group as unknown as { subscriptionState: { assign(of: object[]): void } };
    subscription.subscriptionState.assign([{ topic, partitions: [partition] }]);
    const runner = new Runner({
      ...{ logger: log, consumerGroup: this.group, concurrency: 1, onCrash() {} },
      instrumentationEmitter: { emit() {} },
    });
    this.runner = Object.assign(runner, { running: true });
  }

  /** Asks a broker; the answer comes with `answer`. */
  async ask(broker: string): Promise<{ batches: Promise<readonly object[]> }> {
    const batches = this.runner.fetch(broker);
    while (!this.held.has(broker)) await sleep(1);
    return { batches };
  }

  answer(broker: string): void {
    this.held.get(broker)!();
    this.held.delete(broker);
  }

  async fetch(broker: string): Promise<Batch> {
    const { batches } = await this.ask(broker);
    this.answer(broker);
    return (await batches)[0] as Batch;
  }

  private answering(broker: string) {
    return async ({ topics }: { topics: { partitions: { fetchOffset: string }[] }[] }) => {
      await new Promise<void>((resolve) => this.held.set(broker, resolve));
      const from = Number(topics[0].partitions[0].fetchOffset);
      const messages = Array.from({ length: 10 }, (_, at) => ({ offset: String(from + at), key: null, value: null }));
      const fields = { partition, errorCode: 0, highWatermark: '200', abortedTransactions: [], messages };
      return { responses: [{ topicName: topic, partitions: [fields] }] };
    };
  }
}

const firstOffset = (batch: Batch): number => Number(batch.messages[0].offset);

describe('a fetch from the former leader of a partition', () => {
  it('is outdated when the new one was asked after a seek', async () => {
    const moving = new MovingPartition();
    const { batches } = await moving.ask('former');
    moving.leader = 'new';
    moving.group.seek({ topic, partition, offset: '50' });
    const current = await moving.fetch('new');
    moving.answer('former');
    const [late] = (await batches) as Batch[];
    // kafkajs delivers it: the seek is forgotten.
    expect([firstOffset(current), firstOffset(late)]).toEqual([50, 100]);
    expect([current, late].map(isOutdated)).toEqual([false, true]);
  });

  it('is outdated when records of the new one are done, and so is one of the new one after records of the former', async () => {
    for (const [done, late] of [
      ['new', 'former'],
      ['former', 'new'],
    ]) {
      const moving = new MovingPartition();
      const asked = new Map([['former', await moving.ask('former')]]);
      moving.leader = 'new';
      asked.set('new', await moving.ask('new'));
      moving.answer(done);
      const [first] = (await asked.get(done)!.batches) as Batch[];
      expect(isOutdated(first)).toBe(false);
      moving.group.resolveOffset({ topic, partition, offset: '109' });
      moving.answer(late);
      const [second] = (await asked.get(late)!.batches) as Batch[];
      expect([firstOffset(second), isOutdated(second)]).toEqual([100, true]);
      expect(isOutdated(await moving.fetch('new'))).toBe(false);
    }
  });

  it('is not delivered when it is outdated', async () => {
    const moving = new MovingPartition();
    const outdated = await moving.fetch('former');
    moving.group.seek({ topic, partition, offset: '50' });
    const current = await moving.fetch('former');
    const delivered: number[] = [];
    let eachBatch: (payload: EachBatchPayload) => Promise<void> = async () => undefined;
    const nothing = async () => undefined;
    const client = {
      ...{ events: {}, on() {}, connect: nothing, subscribe: nothing, disconnect: nothing },
      run: async (config: { eachBatch: typeof eachBatch }) => void (eachBatch = config.eachBatch),
    };
    const consumer = new GroupConsumer({
      ...{ group: 'g', topics: [topic], logger, onFatal() {}, onUndecodable: nothing },
      kafka: { ownClient: () => ({ client: { consumer: () => client }, cutOff() {} }) } as never,
      probe: {} as never,
      onBatch: async ({ messages }) => void delivered.push(Number(messages[0].offset)),
    });
    await consumer.start();
    for (const batch of [outdated, current])
      await eachBatch({ batch, heartbeat: nothing, isRunning: () => true, isStale: () => false } as never);
    await consumer.stop();
    expect(delivered).toEqual([50]);
  });
});
