import fc from 'fast-check';
import { Similarity } from './similarity';
import { Units } from './units';

const word = (minLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength: 9 });

describe('similarity of names', () => {
  it('ranks an edit of the whole name before an edit of its beginning, and that before common trigrams', () => {
    const names = ['shadow king', 'shadow99', 'king shadwo', 'shadow', 'shadwi', 'wolf', 'shady'];
    const similarity = new Similarity('shadwo');
    const distances = names.flatMap((name) => {
      const distance = similarity.distanceTo(Units.of(name));
      return distance === null ? [] : [{ name, distance }];
    });
    expect(distances.sort((a, b) => a.distance - b.distance).map(({ name }) => name)).toEqual([
      'shadow',
      'shadwi',
      'shady',
      'shadow king',
      'shadow99',
      'king shadwo',
    ]);
  });

  it('finds a name with other edits exactly if three tenths of all groups of three are common', () => {
    const name = fc.array(word(1), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(name, name, (text, other) => {
        const distance = new Similarity(text).distanceTo(Units.of(other));
        if (distance !== null && distance <= 4) return;
        const [groups, others] = [groupsOf(text), groupsOf(other)];
        const common = [...groups].filter((group) => others.has(group)).length;
        const share = common / (groups.size + others.size - common);
        expect(distance).toBe(share >= 0.3 ? 6 - share : null);
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not rate a replaced character of a short text as an edit twice', () => {
    expect(new Similarity('abc').distanceTo(Units.of('abd'))).toBe(1);
    expect(new Similarity('abc').distanceTo(Units.of('axd'))).toBeNull();
    expect(new Similarity('👾👻🎃').distanceTo(Units.of('👾👻🎄'))).toBe(1);
  });
});

/** The groups of three characters of each word, with two spaces before it and one after it. */
function groupsOf(text: string): Set<string> {
  const padded = text.split(' ').map((each) => `  ${each} `);
  return new Set(padded.flatMap((each) => Array.from({ length: each.length - 2 }, (_, at) => each.slice(at, at + 3))));
}
