import { UnreadPartitions } from './unread-partitions';

describe('partitions whose leader does not answer', () => {
  it('count until they are read, or for a minute without another attempt', () => {
    let nowMs = 0;
    const unread = new UnreadPartitions(() => nowMs);
    for (const partition of [0, 1, 2]) unread.note('t', partition, false);
    unread.note('t', 2, true);
    nowMs = 59_000;
    unread.note('t', 1, false);
    expect(unread.byTopic().get('t')).toEqual([0, 1]);
    nowMs = 61_000;
    expect(unread.byTopic().get('t')).toEqual([1]);
    unread.note('t', 1, true);
    expect(unread.byTopic().get('t')).toEqual([]);
  });
});
