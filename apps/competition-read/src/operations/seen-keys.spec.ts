import { PlacedChanges } from '../projection/handle-changes';
import { DocumentKey } from '../projection/read-change';
import { SeenKeys } from './seen-keys';

const hub = (id: string): DocumentKey => ({ kind: 'hub', id });

describe('keys that a rebuild has seen', () => {
  it('knows tombstones that the live set may not have applied', () => {
    const seen = new SeenKeys(new Map([[0, 10n]]));
    seen.noteTombstones(tombstones(['early'], { partition: 0, nextOffset: 10n }));
    seen.noteTombstones(tombstones(['late'], { partition: 0, nextOffset: 14n }));
    seen.noteTombstones(tombstones(['other'], { partition: 1, nextOffset: 2n }));
    const after = (live: [number, bigint][]): string[] =>
      ['early', 'late', 'other', 'none'].filter((id) => seen.hasTombstoneAfter(new Map(live), hub(id)));
    expect(after([[0, 10n]])).toEqual(['late', 'other']);
    expect(
      after([
        [0, 13n],
        [1, 2n],
      ]),
    ).toEqual(['late']);
    expect(
      after([
        [0, 14n],
        [1, 3n],
      ]),
    ).toEqual([]);
  });

  it('knows the documents of dead records, and passes over keys of none', () => {
    const seen = new SeenKeys(new Map());
    for (const key of ['hub:a%3Ab', '', 'nothing:x', 'hub:%00', 'hub:a:b', 'hub:a%3Ab']) seen.noteDead(key);
    expect([...seen.deadDocuments()]).toEqual([hub('a:b')]);
    expect(['a:b', 'x'].map((id) => seen.isDead(hub(id)))).toEqual([true, false]);
  });
});

function tombstones(
  ids: readonly string[],
  { partition, nextOffset }: Pick<PlacedChanges, 'partition' | 'nextOffset'>,
): PlacedChanges {
  const changes = ids.map((id) => ({ what: 'forget', content: hub(id) }) as const);
  return { topic: 'changes', partition, position: null, nextOffset, changes };
}
