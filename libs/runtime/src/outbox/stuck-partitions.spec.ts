import { TopicRow, topics } from '@podium/messages';
import { partitionOf } from '../kafka';
import { OutboxRow } from './outbox.store';
import { StuckPartitions } from './stuck-partitions';

const [links, keys] = [topics.links.name, topics.apiKeys.name];
const bad = partitionOf('bad', topics.links.partitions);
const other = ['a', 'b', 'c'].find((key) => partitionOf(key, topics.links.partitions) !== bad)!;
const row = (topic: string, key: string) => ({ topic, key }) as OutboxRow;

describe('StuckPartitions', () => {
  let nowMs: number;
  let stuck: StuckPartitions;
  const divided = (...rows: OutboxRow[]) =>
    [...stuck.divide(rows)].map((part) => part.map(({ topic, key }) => `${topic} ${key}`));

  beforeEach(() => {
    nowMs = 1_000;
    const rows = new Map<string, TopicRow>([topics.links, topics.apiKeys].map((each) => [each.name, each as TopicRow]));
    stuck = new StuckPartitions(rows, () => nowMs);
  });

  it('leaves the rows of a partition out until its pause is over, then sends them apart, until they are published', () => {
    const all = [row(links, 'bad'), row(links, other), row(keys, 'bad')];
    stuck.failed([all[0], all[0]]);
    expect(divided(...all)).toEqual([[`${links} ${other}`, `${keys} bad`]]);
    expect(stuck.aside()).toEqual({ topics: [], keys: [{ topic: links, key: 'bad' }] });
    nowMs += 100;
    expect(stuck.aside()).toEqual({ topics: [], keys: [] });
    expect(divided(...all)).toEqual([[`${links} ${other}`, `${keys} bad`], [`${links} bad`]]);
    stuck.failed([all[0]]);
    nowMs += 199;
    expect(stuck.aside().keys).toHaveLength(1);
    stuck.published(all[0]);
    expect(divided(...all)).toHaveLength(1);
    expect(stuck.aside().keys).toEqual([]);
  });

  it('leaves what was not accepted out of the next page, which may have room for nothing else', () => {
    stuck.failed([row(links, 'bad'), row(links, 'bad')]);
    expect(stuck.aside()).toEqual({ topics: [], keys: [{ topic: links, key: 'bad' }] });
    expect(stuck.requestFailed([row(links, other)])).toBe(true);
    expect(stuck.aside().keys).toEqual(['bad', other].map((key) => ({ topic: links, key })));
    expect(stuck.requestFailed([row(links, other), row(keys, 'bad')])).toBe(false);
  });

  it('ends a pause although the clock of the day steps back', async () => {
    const own = new StuckPartitions(new Map([[links, topics.links as TopicRow]]));
    own.failed([row(links, 'bad')]);
    const date = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 600_000);
    await new Promise((resolve) => setTimeout(resolve, 110));
    expect([...own.divide([row(links, 'bad')])]).toHaveLength(1);
    date.mockRestore();
  });

  it('tries each topic on its own when one of them is unavailable, and leaves that one out', () => {
    const all = [row(links, 'a'), row(keys, 'b')];
    stuck.oneTopicFailed([links, keys]);
    expect(divided(...all)).toEqual([[`${links} a`], [`${keys} b`]]);
    stuck.topicFailed(links);
    stuck.published(all[1]);
    expect(divided(...all)).toEqual([[`${keys} b`]]);
    expect(stuck.aside()).toEqual({ topics: [links], keys: [] });
  });

  it('tries each partition on its own when a request fails as a whole, the one that has waited longest first', () => {
    const all = [row(links, 'bad'), row(links, other)];
    stuck.requestFailed(all);
    expect(divided(...all)).toEqual([[`${links} bad`], [`${links} ${other}`]]);
    stuck.requestFailed([all[0]]);
    expect(divided(...all)).toEqual([[`${links} ${other}`]]);
    nowMs += 100;
    expect(divided(...all)).toEqual([[`${links} ${other}`], [`${links} bad`]]);
  });

  it('leaves out one partition of a topic that is there again', () => {
    const all = [row(links, 'bad'), row(links, other)];
    stuck.topicFailed(links);
    nowMs += 100;
    expect(divided(...all)).toEqual([[`${links} bad`, `${links} ${other}`]]);
    stuck.failed([all[0]]);
    expect(divided(...all)).toEqual([[`${links} ${other}`]]);
  });

  it('leaves a whole topic out once too many keys wait', () => {
    stuck.failed([row(links, 'bad')]);
    const waiting: OutboxRow[] = [];
    for (let at = 0; waiting.length < 10_001; at++)
      if (partitionOf(`k${at}`, topics.links.partitions) === bad) waiting.push(row(links, `k${at}`));
    expect(divided(...waiting)).toEqual([]);
    expect(stuck.aside()).toEqual({ topics: [links], keys: [] });
  });
});
