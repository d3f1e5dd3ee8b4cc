import fc from 'fast-check';
import { maxDepth } from './event-limits';
import { BodyRefusal } from './body-refusal';
import { JsonReader } from './json-reader';

function accepts(text: string): boolean {
  const reader = new JsonReader(text);
  try {
    reader.skip();
    reader.end();
    return true;
  } catch (error) {
    if (error instanceof BodyRefusal) return false;
    throw error;
  }
}

function jsonParseAccepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Values that JSON.parse accepts and the reader refuses. */
function isStrict(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && Buffer.from(value).toString() === value;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === maxDepth) return false;
  return Object.entries(value).every(([name, child]) => isStrict(name) && isStrict(child, depth + 1));
}

describe('JsonReader', () => {
  it('accepts what JSON.stringify writes, except for the extra refusals', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        expect(accepts(text)).toBe(isStrict(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts no text that JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\ \t\n0123456789.-+eEutrfalsn/b',
      'null',
      '"a"',
      '\\u00e9',
      '\\ud83d',
      '\u00a0',
    );
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.array(pieces, { maxLength: 3 }), fc.nat(2))
      .map(([text, at, inserted, cut]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted.join('') + text.slice(place + cut);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (text) => {
          if (accepts(text)) expect(jsonParseAccepts(text)).toBe(true);
          else if (jsonParseAccepts(text)) expect(hasExtraReason(text)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"\\u0061":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    ['[{"x":{"b":1,"b":1}}]'],
    ['"\\u0000"'],
    ['"\\ud800"'],
    ['"\\udc00\\ud800"'],
    ['"\\ud800x"'],
    ['[[[[[[[[[]]]]]]]]]'],
    ['1e'],
    ['01'],
    ['-'],
    ['.5'],
    ['"\n"'],
    ['\ufeff{}'],
    ['{}x'],
    ['{"a":1,}'],
    ['[1,]'],
    ['nul'],
    ['"\\x"'],
    ['"\\u12g4"'],
    [''],
  ])('refuses %j', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it.each([['[[[[[[[[]]]]]]]]'], ['"\\ud83d\\ude00"'], ['{"__proto__":{"constructor":null}}'], [' -0.5e+3 ']])(
    'accepts %j',
    (text) => {
      expect(accepts(text)).toBe(true);
    },
  );
});

/** A text that JSON.parse accepts and the reader refuses must violate a stricter rule of the reader. */
function hasExtraReason(text: string): boolean {
  const value: unknown = JSON.parse(text);
  if (!isStrict(value)) return true;
  // JSON.parse drops repeated names, so the value has fewer names than the text.
  return (text.match(/"\s*:/g) ?? []).length > countNames(value);
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  return (
    (Array.isArray(value) ? 0 : children.length) + children.reduce<number>((sum, child) => sum + countNames(child), 0)
  );
}
