import fc from 'fast-check';
import { editsBetween } from './edit-distance';
import { Units } from './units';

const word = (minLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength: 9 });

describe('edit distance', () => {
  it('counts edits like the full matrix, up to the limit', () => {
    fc.assert(
      fc.property(word(3), word(0), fc.integer({ min: 0, max: 2 }), (text, name, maxEdits) => {
        const table = editTable(text, name);
        const last = table[text.length];
        expect(editsBetween(Units.of(text), Units.of(name), maxEdits)).toEqual({
          whole: Math.min(last[name.length], maxEdits + 1),
          beginning: Math.min(...last, maxEdits + 1),
        });
      }),
      { numRuns: 3_000 },
    );
  });
});

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
