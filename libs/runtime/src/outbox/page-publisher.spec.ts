import { TopicRow, topics } from '@podium/messages';
import { pino } from 'pino';
import { Histogram, Registry } from 'prom-client';
import { OutcomeUnknownError, OutgoingRecord, RecordPlace, TopicUnavailableError, partitionOf } from '../kafka';
import { OutboxRow } from './outbox.store';
import { PagePublisher } from './page-publisher';

const [links, keys] = [topics.links, topics.apiKeys] as unknown as readonly TopicRow[];
const silent = partitionOf('silent', links.partitions);
const healthy = ['a', 'b', 'c', 'd', 'e'].filter((key) => partitionOf(key, links.partitions) !== silent);

const row = (id: number, key: string, { name } = links): OutboxRow => ({
  ...{ id, topic: name, key, type: 't', schema_version: 1, data: '{}' },
  ...{ record_id: null, traceparent: null, created_at_ms: Date.now() },
});

describe('PagePublisher', () => {
  /** Keys that Kafka has, one for each copy. */
  let appended: string[];
  let publisher: PagePublisher;
  let left: OutboxRow[];
  let failure: (records: readonly OutgoingRecord[]) => Error | undefined;
  let nowMs: number;

  const isSilent = ({ topic, key }: OutgoingRecord): boolean =>
    topic.name === links.name && partitionOf(String(key), links.partitions) === silent;

  async function send(records: readonly OutgoingRecord[]): Promise<RecordPlace[]> {
    const error = failure(records);
    if (!(error instanceof TopicUnavailableError))
      appended.push(...records.filter((each) => !isSilent(each)).map(({ key }) => String(key)));
    if (error) throw error;
    return records.map((_, index) => ({ partition: 0, offset: BigInt(index) }));
  }

  beforeEach(() => {
    nowMs = 1_000;
    // No pause ends while a page is published, however slow the machine is.
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    appended = [];
    failure = (records) => (records.some(isSilent) ? new OutcomeUnknownError() : undefined);
    publisher = new PagePublisher({
      ...{ source: 'linkage', producer: { send }, logger: pino({ level: 'silent' }) },
      topics: new Map([links, keys].map((each) => [each.name, each])),
      publishSeconds: new Histogram({ name: 's', help: 's', labelNames: ['topic'], registers: [new Registry()] }),
    });
  });

  afterEach(() => jest.restoreAllMocks());

  /** Reads pages as the relay does, and removes what is published. */
  async function publishPages(count: number): Promise<void> {
    for (let page = 0; page < count; page++) {
      const { keys: skipped, topics: whole } = publisher.aside();
      const isAside = ({ topic, key }: OutboxRow): boolean =>
        whole.includes(topic) || skipped.some((each) => each.topic === topic && each.key === key);
      const { published } = await publisher.publish(left.filter((each) => !isAside(each)));
      left = left.filter((each) => !published.some(({ row: { id } }) => id === each.id));
    }
  }

  it('publishes the other partitions when a request fails as a whole for one of them', async () => {
    left = [row(1, 'silent'), ...healthy.map((key, at) => row(at + 2, key)), row(9, 'silent')];
    await publishPages(4);
    expect(left.map(({ id }) => id)).toEqual([1, 9]);
    for (const key of healthy) expect(appended.filter((each) => each === key).length).toBeLessThanOrEqual(2);
    failure = () => undefined;
    left.push(row(10, healthy[0]));
    await publishPages(1);
    expect(left.map(({ id }) => id)).toEqual([1, 9]);
  });

  it('tries a refused row again after a minute, also when the clock was set back meanwhile', () => {
    publisher.putAside(row(1, 'refused'));
    expect(publisher.aside().keys).toHaveLength(1);
    jest.spyOn(Date, 'now').mockReturnValue(0);
    nowMs += 60_001;
    expect(publisher.aside().keys).toEqual([]);
  });

  it('publishes the other partitions of a topic that was missing', async () => {
    left = [row(1, 'silent'), row(2, healthy[0]), row(3, 'k', keys)];
    failure = (records) =>
      records.some(({ topic }) => topic.name === links.name) ? new TopicUnavailableError('missing') : undefined;
    await publishPages(3);
    expect([left.map(({ id }) => id), publisher.aside().topics]).toEqual([[1, 2], [links.name]]);
    failure = (records) => (records.some(isSilent) ? new OutcomeUnknownError() : undefined);
    nowMs += 100;
    await publishPages(3);
    expect(left.map(({ id }) => id)).toEqual([1]);
  });
});
