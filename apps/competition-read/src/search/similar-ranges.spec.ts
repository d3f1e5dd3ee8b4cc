import fc from 'fast-check';
import { charactersOf } from './fold';
import { similarRanges } from './similar-ranges';
import { endMark, maxTurns } from './turns';

const character = fc.constantFrom('a', 'b', '1', '_', 'é', '😀', 'ж');

describe('where similar names are looked for', () => {
  it('meets every name of up to twenty characters that one edit makes the text, or the text and more', () => {
    const name = fc.array(character, { minLength: 4, maxLength: 19 });
    const edit = fc.constantFrom('swap', 'replace', 'more', 'less');
    fc.assert(
      fc.property(name, edit, fc.nat(), character, fc.string(), (name, edit, place, other, rest) => {
        const at = place % (edit === 'swap' ? name.length - 1 : name.length);
        const text = [...name];
        if (edit === 'swap') text.splice(at, 2, name[at + 1], name[at]);
        if (edit === 'replace') text.splice(at, 1, other);
        if (edit === 'more') text.splice(at, 0, other);
        if (edit === 'less') text.splice(at, 1);
        const isMet = (name: string) =>
          similarRanges(text.join('')).some((range) =>
            entriesOf(name, range.turned).some((entry) => entry.startsWith(range.text)),
          );
        expect({ text: text.join(''), isMet: isMet(name.join('')) }).toEqual({ text: text.join(''), isMet: true });
        if (edit === 'swap' || edit === 'more') expect(isMet(name.join('') + rest)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('meets names with a third of the text', () => {
    const text = 'kr4zyviper832xx and many more of these';
    const third = text.slice(12, 24);
    const ranges = similarRanges(text).filter(({ text }) => third.includes(text));
    expect(ranges.map(({ turned }) => turned)).toEqual(expect.arrayContaining([true, false]));
  });

  it('stays bounded for any text', () => {
    for (let length = 0; length <= 128; length++) {
      const ranges = similarRanges('a1 b2_c3😀'.repeat(20).slice(0, length).toWellFormed());
      expect({ length, most: ranges.length <= 110 }).toEqual({ length, most: true });
      expect(ranges.length > 0).toBe(length >= 3);
    }
  });
});

/** What the index has of a name, as the specification of its table says. */
function entriesOf(name: string, turned: boolean): string[] {
  const characters = charactersOf(name);
  if (!turned) return [name + endMark];
  const places = Array.from({ length: Math.min(characters.length, maxTurns) - 1 }, (_, index) => index + 1);
  return places.map((at) => characters.slice(at).join('') + endMark + characters.slice(0, at).join(''));
}
