import fc from 'fast-check';
import { charactersOf, foldName, maxFoldedLength } from './fold-name';

describe('folding a name', () => {
  it.each([
    ['Shadow', 'shadow'],
    ['  a \t b\r\n c ', 'a b c'],
    ['100%_\\', '100%_\\'],
    ['ＮＡＭＥ', 'name'],
    ['ﬁne', 'fine'],
    ['Jose\u0301', 'josé'],
    ['STRASSE ß', 'strasse ß'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Тень', 'тень'],
    ['\u200fשלום\u200e', 'שלום'],
    ['👨\u200d👩\u200d👧', '👨👩👧'],
    ['❤\ufe0f Heart', '❤ heart'],
    ['葛\u{e0100}城', '葛城'],
    ['Ace\u3164', 'ace'],
    ['A\u034fce', 'ace'],
    ['\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
    ['\ufb2a\u05dc\u05d5\u05dd', '\u05e9\u05dc\u05d5\u05dd'],
    ['\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f', '\u0645\u062d\u0645\u062f'],
    ['\u0627\u0657\u0654\u062d\u0645\u062f', '\u0623\u062d\u0645\u062f'],
    ['İlker', 'i\u0307lker'],
    ['N\u0308', 'n\u0308'],
    ['a\u0001b\u0000c', 'a b c'],
    ['a\u{10FFFF}b\ufdd0c', 'abc'],
    ['a\ud800b', 'a\ufffdb'],
    ['\u200b \u3000', ''],
  ])('%j is compared as %j', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it('is idempotent, removes reserved characters, and limits the length', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const folded = foldName(text);
        expect(foldName(folded)).toBe(folded);
        expect(folded).not.toMatch(/[\u0000-\u001f\u{10FFFF}]|^\s|\s$|\s\s/u);
        expect(folded.isWellFormed()).toBe(true);
        expect(charactersOf(folded).length).toBeLessThanOrEqual(maxFoldedLength);
      }),
      { numRuns: 2_000 },
    );
  });

  it('folds ASCII on the fast path as on the general path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 300 }), (text) => {
        // A character that folds to nothing forces the general path.
        expect(foldName(text)).toBe(foldName(`${text}\u200b`));
      }),
    );
  });
});

function anyText(): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    '\u0301',
    '\u200d',
    '\ufe0f',
    '\u3164',
    '\u05b8',
    '\u0627',
    '\u0651',
    '\u0654',
    '\u0657',
    '\u202e',
    '\ud83d',
    'Σ',
    'İ',
    'ﷺ',
    '\u0345',
    'ς',
    '\u0000',
    ' ',
    '\u00a0',
    'ǅ',
  );
  return fc
    .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), odd), { maxLength: 60 })
    .map((parts) => parts.join(''));
}
