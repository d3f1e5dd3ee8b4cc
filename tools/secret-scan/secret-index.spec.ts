import { randomBytes } from 'node:crypto';
import { SecretIndex, keyOf } from './secret-index';

const run = 'x'.repeat(12);

/** A text of twelve letters with the key of a run of one letter: of two halves whose keys have that sum. */
function ofEqualKey(): string {
  const wanted = keyOf(Buffer.from(run));
  const none = Buffer.alloc(6);
  const half = () => randomBytes(5).toString('base64url').slice(0, 6);
  for (;;) {
    const firsts = new Map<number, string>();
    for (let count = 0; count < 100_000; count++) {
      const first = half();
      firsts.set(keyOf(Buffer.concat([Buffer.from(first), none])), first);
    }
    for (let count = 0; count < 100_000; count++) {
      const last = half();
      const first = firsts.get((wanted - keyOf(Buffer.concat([none, Buffer.from(last)]))) | 0);
      if (first !== undefined) return first + last;
    }
  }
}

describe('an index of secrets', () => {
  it('takes no longer for a long run of bytes that has the key of a secret', () => {
    const value = ofEqualKey();
    expect(keyOf(Buffer.from(value))).toBe(keyOf(Buffer.from(run)));
    const index = new SecretIndex();
    index.add({ kind: 'token', value });
    const bytes = Buffer.from(`${'x'.repeat(4_000_000)}${value}`);
    const startedMs = performance.now();
    expect(index.find(bytes)).toMatchObject([{ encoding: 'plain', offset: 4_000_000 }]);
    // A part of a second, and a minute and more if the secret were encoded at each place.
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });

  it('tells secrets apart that end alike', () => {
    const index = new SecretIndex();
    for (const value of ['first-of-the-same-end', 'other-of-the-same-end']) index.add({ kind: 'token', value });
    const hits = index.find(Buffer.from('a first-of-the-same-end, another-of-the-same-end, third-of-the-same-end'));
    expect(hits.map(({ secret, offset }) => [secret.value, offset])).toEqual([
      ['first-of-the-same-end', 2],
      ['other-of-the-same-end', 27],
    ]);
  });
});
