import * as fc from 'fast-check';
import { createKey, createUuidKey, hashKey, parseKey, parseUuidKey } from './api-key-format';
import { identityDigest, recordKey } from './keys';

/** The separator, what escapes it, and the digits of escaped ones. */
const unit = fc.constantFrom(':', '%', '3', 'A', 'a', 'é');
const parts = fc.array(fc.string({ minLength: 1, maxLength: 4, unit }), { minLength: 1, maxLength: 3 });

/** Other parts that are written alike where a separator is not escaped, only it is, or lengths do not count. */
const confusions: readonly ((given: readonly string[]) => readonly string[])[] = [
  (given) => [given.join(':')],
  (given) => [given.join('')],
  (given) => given.join(':').split(':'),
  (given) => given.map((part) => part.replaceAll(':', '%3A')),
  (given) => given.map(encodeURIComponent),
];
const pairs = fc.oneof(
  fc.tuple(parts, parts),
  fc.tuple(parts, fc.constantFrom(...confusions)).map(([given, confuse]) => [given, confuse(given)] as const),
);

describe('record keys', () => {
  it('differ whenever their parts differ', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const same = a.length === b.length && a.every((part, i) => part === b[i]);
        expect(recordKey(...(a as [string])) === recordKey(...(b as [string]))).toBe(same);
        expect(identityDigest(...(a as [string])).equals(identityDigest(...(b as [string])))).toBe(same);
      }),
      { numRuns: 500 },
    );
  });
});

describe('API keys', () => {
  it('contain environment, kind and id without a lookup, and match only their own hash', () => {
    const { key, keyId, hash } = createKey('test', 'ev');
    expect(parseKey(key)).toEqual({ environment: 'test', kind: 'ev', keyId });
    expect(hashKey(key)).toBe(hash);
    expect(hashKey(createKey('test', 'ev').key)).not.toBe(hash);
  });

  it('are refused when one character is changed', () => {
    const { key } = createKey('production', 'dt');
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'abcxyz019_'), (at, char) => {
        fc.pre(key[at] !== char);
        expect(parseKey(key.slice(0, at) + char + key.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('can be UUIDs of version 4, in upper or lower case', () => {
    const { key, keyId, hash } = createUuidKey();
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keyId).toMatch(/^[0-9a-z]{16}$/);
    expect(parseUuidKey(key.toUpperCase())).toBe(key);
    expect(hashKey(key)).toBe(hash);
    expect(parseKey(key)).toBeNull();
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    '018f4e2a-7c1b-7d3e-8a4b-9c5d6e7f8091',
    `{${createUuidKey().key}}`,
    createUuidKey().key.replaceAll('-', ''),
    createKey('test', 'dt').key,
    '',
  ])('are no UUID of version 4 as %s', (text) => expect(parseUuidKey(text)).toBeNull());
});
