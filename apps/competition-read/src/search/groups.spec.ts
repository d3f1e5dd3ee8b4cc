import fc from 'fast-check';
import { Groups } from './groups';
import { Units } from './units';

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '7', ' ', '-', '_'), maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('a', 'é', 'ж', '😀', '\u0301', ' ', '.'), maxLength: 30 }),
  fc.string({ unit: 'binary', minLength: 100, maxLength: 128 }),
);

describe('groups of three', () => {
  it('counts the different ones of a text, and those of two, like sets of texts', () => {
    const [one, other] = [new Groups(), new Groups()];
    fc.assert(
      fc.property(name, name, (text, otherText) => {
        one.read(Units.of(text));
        other.read(Units.of(otherText));
        const [groups, others] = [groupsOf(text), groupsOf(otherText)];
        expect({ text, size: one.size }).toEqual({ text, size: groups.size });
        const common = [...groups].filter((group) => others.has(group)).length;
        expect({ text, otherText, common: one.countCommon(other) }).toEqual({ text, otherText, common });
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The groups of three units of each run of letters, marks and digits; of a text without any, those of the text. */
function groupsOf(text: string): Set<string> {
  const padded = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text]).map((word) => `  ${word} `);
  return new Set(padded.flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))));
}
