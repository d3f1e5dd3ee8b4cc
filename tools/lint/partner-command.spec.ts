import * as fs from 'node:fs';
import * as path from 'node:path';

const root = path.resolve(__dirname, '../..');
const files = ['docs', 'sdk/typescript/src', 'sdk/typescript/README.md'].flatMap((place) =>
  filesAt(path.join(root, place)),
);

/** The texts of a folder, or a file itself; without what is built there. */
function filesAt(place: string): string[] {
  if (fs.statSync(place).isFile()) return /\.(md|ts|mjs|sh|html)$/.test(place) ? [place] : [];
  return fs
    .readdirSync(place)
    .filter((name) => !['public', 'dist', 'node_modules', '.vitepress'].includes(name))
    .flatMap((name) => filesAt(path.join(place, name)));
}

describe("the partners' command", () => {
  it('is called everywhere so that npx never downloads a foreign package of its name', () => {
    const calls = files.flatMap((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(/npx\s+(?:-[^\s`]+\s+)*podium-partner/g)].map(([call]) => ({
        file: path.relative(root, file),
        call,
      })),
    );
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter(({ call }) => call !== 'npx --no podium-partner')).toEqual([]);
  });
});
