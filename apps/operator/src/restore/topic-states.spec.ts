import { linkChanged } from '@podium/messages';
import { ReadRecord } from './read-records';
import { newestStates } from './topic-states';

describe('the newest states of a compacted topic', () => {
  it('are those of the highest revision, whatever a repeated page brings behind it', () => {
    expect(states(['a', 5], ['a', 6], ['b', 7], ['a', 5], ['a', 6])).toEqual(['a 6', 'b 7']);
  });

  it('are a tombstone when nothing came after it', () => {
    expect(states(['a', 5], ['a', 'gone'], ['b', 'gone'], ['b', 3])).toEqual(['a erased', 'b 3']);
  });

  it('are a tombstone when it says the highest revision, in whatever order', () => {
    const read = states(['a', 5], ['a', 6, 'gone'], ['b', 6, 'gone'], ['b', 5], ['c', 7], ['c', 6, 'gone']);
    expect(read).toEqual(['a erased', 'b erased', 'c 7']);
    expect(states(['a', 6, 'gone'], ['a', 'gone'], ['a', 5])).toEqual(['a erased']);
  });
});

function states(...records: [key: string, revision: number | 'gone', gone?: 'gone'][]): string[] {
  const read = records.map(([key, revision, gone]) => {
    const known = revision === 'gone' ? 0 : revision;
    const isGone = revision === 'gone' || gone === 'gone';
    const record = isGone ? null : { revision: known, occurred_at: 1, data: {} };
    return { key, timestampMs: 1, revision: known, record } as ReadRecord<typeof linkChanged>;
  });
  return newestStates(read).map(({ key, revision, data }) => `${key} ${data === null ? 'erased' : revision}`);
}
