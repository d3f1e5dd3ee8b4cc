import fc from 'fast-check';
import { charactersOf } from './fold-name';
import { SimilarPlace, SimilarPlaces, similarPlaces } from './similar-places';
import { endMark, maxRotations } from './rotations';

const character = fc.constantFrom('a', 'b', '1', '_', 'é', '😀', 'ж');

describe('index places of similar names', () => {
  const name = fc.array(character, { minLength: 4, maxLength: 19 });
  const edit = fc.tuple(fc.constantFrom<Edit>('swap', 'replace', 'more', 'less'), fc.nat(), character);

  it('finds every name of up to twenty characters within one edit, though many begin or end like it', () => {
    fc.assert(
      fc.property(name, edit, (name, edit) => {
        const text = edited(name, ...edit).join('');
        const crowd = numbers.flatMap((number) => [
          ...upTo(name.length - 1).map((length) => name.slice(0, length).join('') + number),
          ...upTo(name.length).map((length) => `${name.slice(0, length).join('')}z${number}`),
          ...upTo(name.length - 3).map((length) => number + name.slice(name.length - length).join('')),
        ]);
        expect({ text, isFound: isFound(name.join(''), text, crowd) }).toEqual({ text, isFound: true });
      }),
      { numRuns: 300 },
    );
  });

  it('finds every name that begins with the text but for an edit, though many have short parts of it', () => {
    const swapOrMore = edit.filter(([edit]) => edit === 'swap' || edit === 'more');
    fc.assert(
      fc.property(name, swapOrMore, fc.string(), (name, edit, rest) => {
        const text = edited(name, ...edit).join('');
        const crowd = numbers.flatMap((number) => [
          ...upTo(Math.min(name.length, 5)).map((length) => name.slice(0, length).join('') + number),
          ...name.map((_, at) => number + name.slice(at, at + 4).join('') + number),
        ]);
        expect({ text, isFound: isFound(name.join('') + rest, text, crowd) }).toEqual({ text, isFound: true });
      }),
      { numRuns: 300 },
    );
  });

  it('finds names that share the longest part with a long text', () => {
    const text = 'kr4zyviper832xx and many more of these';
    const others = Array.from({ length: 300 }, (_, index) => `${index} and many ${index}`);
    const name = `xx and many more ${'other '.repeat(8)}`.trim();
    expect([...namesAt(similarPlaces(text), [...others, name])]).toContain(name);
  });

  it('finds names that begin with a later word of the text', () => {
    const others = Array.from({ length: 300 }, (_, index) => `the wolf ${index} in town`);
    expect([...namesAt(similarPlaces('the wolf'), [...others, 'wolfgang'])]).toContain('wolfgang');
  });

  it('is bounded for any text', () => {
    for (let length = 3; length <= 128; length++) {
      const { places, beginnings } = similarPlaces('a1 b2_c3😀'.repeat(20).slice(0, length).toWellFormed());
      const isBounded = places.length <= 11 && beginnings.length <= 24;
      expect({ length, isBounded, some: places.length > 2 }).toEqual({ length, isBounded: true, some: true });
    }
  });
});

type Edit = 'swap' | 'replace' | 'more' | 'less';

function edited(name: readonly string[], edit: Edit, place: number, other: string): string[] {
  const at = place % (edit === 'swap' ? name.length - 1 : name.length);
  if (edit === 'swap') return name.toSpliced(at, 2, name[at + 1], name[at]);
  if (edit === 'replace') return name.toSpliced(at, 1, other);
  return edit === 'more' ? name.toSpliced(at, 0, other) : name.toSpliced(at, 1);
}

/** Without characters of names, and sorted before most of them; with a z before it, between them. */
const numbers = Array.from({ length: 12 }, (_, index) => `${22 + index}`);

function upTo(end: number): number[] {
  return Array.from({ length: Math.max(0, end) }, (_, index) => index);
}

/** Whether a name among others is at a place of the text, or contains it, so that other tiers find it. */
function isFound(name: string, text: string, others: readonly string[]): boolean {
  return name.includes(text) || namesAt(similarPlaces(text), [...new Set([...others, name])]).has(name);
}

/** The names at these places, as the statement reads them: eight on each side of a place, sixteen of a beginning. */
function namesAt({ places, beginnings }: SimilarPlaces, names: readonly string[]): Set<string> {
  const unrotated = sorted(names.map((name) => ({ name, entry: name + endMark })));
  const rotated = sorted(names.flatMap((name) => rotationsOf(name).map((entry) => ({ name, entry }))));
  const found = [
    ...places.flatMap((place) => beside(place.rotated ? rotated : unrotated, place)),
    ...beginnings.flatMap((beginning) => unrotated.filter(({ entry }) => entry.startsWith(beginning)).slice(0, 16)),
  ];
  return new Set(found.map(({ name }) => name));
}

interface Entry {
  readonly name: string;
  readonly entry: string;
}

function sorted(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.entry < b.entry ? -1 : 1));
}

function beside(entries: readonly Entry[], { before, after }: SimilarPlace): Entry[] {
  const lower = entries.filter(({ entry }) => entry < before).slice(-8);
  return [...lower, ...entries.filter(({ entry }) => entry > after).slice(0, 8)];
}

/** The entries of the rotations of a name, as specified for its table. */
function rotationsOf(name: string): string[] {
  const characters = charactersOf(name);
  const places = Array.from({ length: Math.min(characters.length, maxRotations) - 1 }, (_, index) => index + 1);
  return places.map((at) => characters.slice(at).join('') + endMark + characters.slice(0, at).join(''));
}
