import * as fs from 'node:fs';
import * as path from 'node:path';

const root = path.resolve(__dirname, '../..');

const filesBelow = (folder: string, pattern: RegExp): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/(^|\/)(node_modules|dist|\.vitepress)\//.test(file))
    .map((file) => path.join(folder, file));

const files = [
  ...['apps', 'libs', 'e2e'].flatMap((folder) => filesBelow(folder, /\.ts$/)),
  ...filesBelow('docs', /\.md$/),
];

/** The labels of a text: in brackets, at the beginning of a comment, or of a violation. */
function labelsOf(text: string): string[] {
  const lists = [
    ...text.matchAll(/\((?:invariant )?(V\d+(?:, V\d+)*)\)|\/\*\* (V\d+(?:, V\d+)*):|invariant: '(V\d+)'/g),
  ];
  return lists.flatMap((found) => found.slice(1).flatMap((list) => list?.split(', ') ?? []));
}

describe('the invariants of ARCHITECTURE.md', () => {
  const section = fs.readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8').split('\n## Invariants\n')[1];
  const defined = [...(section?.split('\n## ')[0] ?? '').matchAll(/^\| (V\d+) /gm)].map(([, label]) => label);

  it('have labels without a gap', () => {
    expect(defined).toEqual(defined.map((_label, at) => `V${at + 1}`));
  });

  it('are those that code, tests and decisions name', () => {
    const named = files.flatMap((file) => labelsOf(fs.readFileSync(path.join(root, file), 'utf8')));
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((label) => !defined.includes(label))).toEqual([]);
  });
});
