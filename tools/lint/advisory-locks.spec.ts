import * as fs from 'node:fs';
import * as path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** The sources of all apps and libraries, without specs. */
const sources = ['apps', 'libs'].flatMap((parent) =>
  fs
    .readdirSync(path.join(root, parent), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts'))
    .map((file) => path.join(parent, file)),
);

/** The files that lock by `pg_advisory_lock` or a function like it, with the numbers that they declare for it. */
const locking = sources
  .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))
  .filter(({ text }) => /\bpg_(try_)?advisory_\w*lock/.test(text))
  .map(({ file, text }) => ({
    file,
    numbers: [...text.matchAll(/^const \w*lock\w* = ([\d_]+);$/gim)].map(([, digits]) => digits),
    isNamed: text.includes('lock(hashtextextended('),
  }));

describe('advisory locks of Postgres', () => {
  it('have a number that no other lock has: all services share one database', () => {
    const holders = new Map<string, string[]>();
    for (const { file, numbers } of locking)
      for (const number of numbers) holders.set(number, [...(holders.get(number) ?? []), file]);
    expect(holders.size).toBeGreaterThan(5);
    expect([...holders].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('have such a number, or the digest of a name', () => {
    expect(locking.filter(({ numbers, isNamed }) => numbers.length === 0 && !isNamed)).toEqual([]);
  });
});
