import { linkChanged } from '@podium/messages';
import { ReadRecord } from './restore-parts';
import { newestStates } from './topic-states';

describe('the newest states of a compacted topic', () => {
  it('are those of the highest revision, whatever a repeated page brings behind it', () => {
    expect(states(['a', 5], ['a', 6], ['b', 7], ['a', 5], ['a', 6])).toEqual(['a 6', 'b 7']);
  });

  it('are a tombstone when nothing came after it', () => {
    expect(states(['a', 5], ['a', null], ['b', null], ['b', 3])).toEqual(['a erased', 'b 3']);
  });
});

function states(...records: [key: string, revision: number | null][]): string[] {
  const read = records.map(
    ([key, revision]) =>
      ({
        key,
        timestampMs: 1,
        record: revision === null ? null : { revision, occurred_at: 1, data: {} },
      }) as ReadRecord<typeof linkChanged>,
  );
  return newestStates(read).map(({ key, revision, data }) => `${key} ${data === null ? 'erased' : revision}`);
}
