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

  it('does not confuse the groups of many texts that are read one after the other', () => {
    const [one, other] = [new Groups(), new Groups()];
    other.read(Units.of('shadow'));
    const texts = ['wolf', 'shadwo', 'a', '1234567'].map((text) => ({ text: Units.of(text), groups: groupsOf(text) }));
    const shadow = groupsOf('shadow');
    for (let read = 0; read < 140_000; read++) {
      const { text, groups } = texts[read % texts.length];
      one.read(text);
      if (one.size !== groups.size) throw new Error(`${one.size} groups in read ${read}`);
    }
    for (const { text, groups } of texts) {
      one.read(text);
      expect(one.countCommon(other)).toBe([...groups].filter((group) => shadow.has(group)).length);
      expect(other.countCommon(one)).toBe(one.countCommon(other));
    }
  });
});

/** The groups of three units of each run of letters, marks and digits; of a text without any, those of the text. */
function groupsOf(text: string): Set<string> {
  const padded = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text]).map((word) => `  ${word} `);
  return new Set(padded.flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))));
}
