import { either } from './doubtful-json';
import { invalidBytes, invalidNumbers, invalidStrings, invalidStructures } from './invalid-json';
import { around, validValues } from './valid-json';

/** A text that is valid, invalid or ambiguous JSON (RFC 8259). */
export interface JsonCase {
  readonly text: Buffer;
  readonly is: 'valid' | 'invalid' | 'either';
}

/** About as many cases as well-known JSON parser test suites have, written from the grammar and not copied from them. */
export const jsonCases: readonly JsonCase[] = [
  ...cases('valid', validValues()),
  ...cases('valid', around(['1', '"a"', '[]', '{}', 'null'])),
  ...cases(
    'invalid',
    invalidNumbers().flatMap((number) => [number, `[${number}]`]),
  ),
  ...cases('invalid', invalidStrings()),
  ...cases('invalid', invalidStructures()),
  ...cases('invalid', invalidBytes()),
  ...cases('either', either()),
];

function cases(is: JsonCase['is'], texts: readonly (string | Buffer)[]): JsonCase[] {
  return texts.map((text) => ({ is, text: typeof text === 'string' ? Buffer.from(text) : text }));
}
