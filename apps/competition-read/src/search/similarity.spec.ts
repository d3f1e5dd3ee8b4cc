import fc from 'fast-check';
import { Similarity, editsBetween } from './similarity';

const word = (minLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength: 9 });

describe('similarity of names', () => {
  it('counts edits like the full matrix, up to the limit', () => {
    fc.assert(
      fc.property(word(3), word(0), fc.integer({ min: 0, max: 2 }), (text, name, maxEdits) => {
        const table = editTable(text, name);
        const last = table[text.length];
        expect(editsBetween(text, name, maxEdits)).toEqual({
          whole: Math.min(last[name.length], maxEdits + 1),
          beginning: Math.min(...last, maxEdits + 1),
        });
      }),
      { numRuns: 3_000 },
    );
  });

  it('ranks an edit of the whole name before an edit of its beginning, and that before common trigrams', () => {
    const names = ['shadow king', 'shadow99', 'king shadwo', 'shadow', 'shadwi', 'wolf', 'shady'];
    const similarity = new Similarity('shadwo');
    const distances = names.flatMap((name) => {
      const distance = similarity.distanceTo(name);
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
        const distance = new Similarity(text).distanceTo(other);
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
    expect(new Similarity('abc').distanceTo('abd')).toBe(1);
    expect(new Similarity('abc').distanceTo('axd')).toBeNull();
    expect(new Similarity('👾👻🎃').distanceTo('👾👻🎄')).toBe(1);
  });
});

/** The groups of three characters of each word, with two spaces before it and one after it. */
function groupsOf(text: string): Set<string> {
  const padded = text.split(' ').map((each) => `  ${each} `);
  return new Set(padded.flatMap((each) => Array.from({ length: each.length - 2 }, (_, at) => each.slice(at, at + 3))));
}

/** Edit distances of all prefixes of two texts, including swaps of adjacent characters. */
function editTable(text: string, name: string): number[][] {
  const table = Array.from({ length: text.length + 1 }, () => new Array<number>(name.length + 1).fill(0));
  for (let i = 0; i <= text.length; i++)
    for (let j = 0; j <= name.length; j++) {
      if (i === 0 || j === 0) {
        table[i][j] = i + j;
        continue;
      }
      const other = text[i - 1] === name[j - 1] ? 0 : 1;
      table[i][j] = Math.min(table[i - 1][j - 1] + other, table[i - 1][j] + 1, table[i][j - 1] + 1);
      if (i > 1 && j > 1 && text[i - 1] === name[j - 2] && text[i - 2] === name[j - 1])
        table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
    }
  return table;
}
