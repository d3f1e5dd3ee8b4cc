import { linkChanged, TopicRow, topics } from '@podium/messages';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FetchedBatch } from '../group-membership/fetched-batch';
import { GroupConsumerOptions } from '../group-membership/group-consumer';
import { EmptyFetch, reportEmptyFetch } from '../record-batches/empty-fetches';
import { CompactedTopicView } from './compacted-topic-view';
import { kafkaOf } from '../../../test/kafka-of';

let consumer: GroupConsumerOptions;

jest.mock('../group-membership/group-consumer', () => ({
  GroupConsumer: class {
    constructor(options: GroupConsumerOptions) {
      consumer = options;
    }

    async start(): Promise<void> {}
    async stop(): Promise<void> {}
  },
}));

type Link = typeof linkChanged;

const row: TopicRow<Link> = { ...topics.links, name: 'view', partitions: 2, consumers: [] };
const admin = {
  connect: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  deleteGroups: () => Promise.resolve(),
  fetchTopicOffsets: () =>
    Promise.resolve([0, 1].map((partition) => ({ partition, low: '0', high: '0', offset: '0' }))),
};

/** An answered fetch without records; by default at the end of an empty partition. */
function empty(partition: number, fetch: Partial<EmptyFetch> = {}): void {
  reportEmptyFetch({ topic: 'view', partition, position: 0n, start: 0n, end: 0n, ...fetch });
}

/** Fetched records up to `lastOffset`, when the partition ended before `end`. */
async function batch(partition: number, lastOffset: bigint, end: bigint): Promise<void> {
  const fetched = { topic: 'view', partition, messages: [], lastOffset, highWatermark: end };
  await consumer.onBatch({ ...fetched, commit: () => Promise.resolve() } as unknown as FetchedBatch);
}

describe('the age of a view', () => {
  let view: CompactedTopicView<Link>;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    view = new CompactedTopicView({
      kafka: kafkaOf(() => admin),
      row,
      viewGroup: 'gateway.key-view',
      instance: 'spec',
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
      apply: () => undefined,
      onUnreadable: () => undefined,
    });
    await view.start();
  });
  afterEach(async () => {
    await view.stop();
    jest.restoreAllMocks();
  });

  it('is that of the partition of a silent broker, while the broker of another one responds', async () => {
    empty(0);
    expect(view.ageMs()).toBe(Infinity);
    empty(1);
    expect(view.ageMs()).toBe(0);
    for (let turn = 0; turn < 30; turn++, nowMs += 10) empty(0);
    expect(view.ageMs()).toBe(300);
    empty(1);
    expect(view.ageMs()).toBe(10);
  });

  it('is short once the records up to the end are applied, not while there are more', async () => {
    empty(0);
    await batch(1, 4n, 10n);
    expect(view.ageMs()).toBe(Infinity);
    await batch(1, 9n, 10n);
    expect(view.ageMs()).toBe(0);
  });

  it('is short where compaction has removed the last records, not where another reader is further on', async () => {
    empty(0);
    await batch(1, 4n, 10n);
    empty(1, { position: 7n, end: 10n });
    empty(1, { position: 10n, end: 10n, topic: 'other' });
    empty(1, { position: 10n, end: 10n });
    expect(view.ageMs()).toBe(Infinity);
    empty(1, { position: 5n, end: 10n });
    expect(view.ageMs()).toBe(0);
  });

  it('counts a partition that is added later', async () => {
    for (const partition of [0, 1]) empty(partition);
    consumer.onAssigned?.({ view: [0, 1, 2] });
    expect(view.ageMs()).toBe(0);
    for (let turn = 0; turn < 20; turn++, nowMs += 10) for (const partition of [0, 1]) empty(partition);
    expect(view.ageMs()).toBe(200);
  });
});
