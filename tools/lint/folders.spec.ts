import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';

const root = path.resolve(__dirname, '../..');
const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');

/** Folders without a line: their name is enough, or they hold only tests or files of the folder above. */
const selfExplaining = ['migrations', 'assets', 'test', 'fixtures', 'src'];

const foldersIn = (parent: string): string[] =>
  readdirSync(path.join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !selfExplaining.includes(entry.name))
    .map(({ name }) => name);

/** The section of the page whose heading begins with the given text. */
const section = (heading: string): string => architecture.split(`### \`${heading}`)[1]?.split('\n### ')[0] ?? '';

describe('ARCHITECTURE.md', () => {
  it.each(readdirSync(path.join(root, 'apps')))('describes every folder of apps/%s in one line', (app) => {
    const folders = foldersIn(`apps/${app}/src`).flatMap((name) => {
      const below = foldersIn(`apps/${app}/src/${name}`).map((inner) => `${name}/${inner}/`);
      return app === 'competition-read' && name === 'reads' ? below : [`${name}/`];
    });
    const text = section(`apps/${app}`);
    expect(folders.filter((folder) => !text.includes(`| \`${folder}\``))).toEqual([]);
    const named = [...text.matchAll(/^\| `([^`]+)\/`/gm)].map(([, name]) => `${name}/`);
    expect(named.filter((folder) => !folders.includes(folder))).toEqual([]);
  });

  it('describes every other folder', () => {
    const libs = ['messages', 'partner-check', 'runtime', 'simulated-partner'].flatMap((lib) =>
      foldersIn(`libs/${lib}/src`).map((name) => `${lib}/src/${name}/`),
    );
    const kafka = foldersIn('libs/runtime/src/kafka').map((name) => `${name}/`);
    const sdk = foldersIn('sdk/typescript/src').map((name) => `src/${name}/`);
    const others = ['k8s', 'tools', 'e2e', 'bench'].flatMap((parent) =>
      foldersIn(parent).map((name) => `${parent}/${name}`),
    );
    const missing = [...libs, ...kafka, ...sdk, ...others].filter((folder) => !architecture.includes(`\`${folder}\``));
    expect(missing).toEqual([]);
  });
});
