import fc from 'fast-check';
import { charactersOf } from './fold-name';
import { similarRanges } from './similar-ranges';
import { endMark, maxRotations } from './rotations';

const character = fc.constantFrom('a', 'b', '1', '_', 'é', '😀', 'ж');

describe('index ranges of similar names', () => {
  it('covers every name of up to twenty characters within one edit of the text, or of its beginning', () => {
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
        const isCovered = (name: string) =>
          similarRanges(text.join('')).some((range) =>
            entriesOf(name, range.rotated).some((entry) => entry.startsWith(range.text)),
          );
        expect({ text: text.join(''), isCovered: isCovered(name.join('')) }).toEqual({
          text: text.join(''),
          isCovered: true,
        });
        if (edit === 'swap' || edit === 'more') expect(isCovered(name.join('') + rest)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers names that contain a third of the text', () => {
    const text = 'kr4zyviper832xx and many more of these';
    const third = text.slice(12, 24);
    const ranges = similarRanges(text).filter(({ text }) => third.includes(text));
    expect(ranges.map(({ rotated }) => rotated)).toEqual(expect.arrayContaining([true, false]));
  });

  it('is bounded for any text', () => {
    for (let length = 0; length <= 128; length++) {
      const ranges = similarRanges('a1 b2_c3😀'.repeat(20).slice(0, length).toWellFormed());
      expect({ length, isBounded: ranges.length <= 110 }).toEqual({ length, isBounded: true });
      expect(ranges.length > 0).toBe(length >= 3);
    }
  });
});

/** The index entries of a name, as specified for its table. */
function entriesOf(name: string, rotated: boolean): string[] {
  const characters = charactersOf(name);
  if (!rotated) return [name + endMark];
  const places = Array.from({ length: Math.min(characters.length, maxRotations) - 1 }, (_, index) => index + 1);
  return places.map((at) => characters.slice(at).join('') + endMark + characters.slice(0, at).join(''));
}
