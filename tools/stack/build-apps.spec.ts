import * as fs from 'node:fs';
import * as path from 'node:path';
import { sharedSources } from './build-apps';
import { checkoutFolder } from './folders';
import { apps } from './services';

const importedFrom = /(?:from|import|require\()\s*\(?['"]([^'"]+)['"]/g;

/** Files below a folder of the checkout that a build can read: no specs, nothing that only tests import. */
function builtFiles(folder: string): string[] {
  return fs
    .readdirSync(path.join(checkoutFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/(^|\/)test\//.test(file))
    .map((file) => path.join(folder, file));
}

/** Folders of the checkout from which files import: `libs/<name>` for a library, and what lies at a relative path. */
function importedFolders(files: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const file of files)
    for (const [, name] of fs.readFileSync(path.join(checkoutFolder, file), 'utf8').matchAll(importedFrom)) {
      const lib = /^@podium\/([a-z-]+)/.exec(name)?.[1];
      if (lib) found.add(`libs/${lib}`);
      if (name.startsWith('.')) found.add(path.join(path.dirname(file), name).split(path.sep).slice(0, 2).join('/'));
    }
  return found;
}

/** What an app's build reads, by folders: its own, and all that these import in turn. */
function bundledFolders(app: string): string[] {
  const reached = new Set([`apps/${app}`]);
  for (const folder of reached)
    for (const next of importedFolders(builtFiles(`${folder}/src`))) if (next.includes('/')) reached.add(next);
  return [...reached];
}

describe('sharedSources', () => {
  it.each(apps)('has every library that %s bundles, so that a change of one builds the app again', (app) => {
    const digested = [`apps/${app}`, ...sharedSources()];
    expect(bundledFolders(app).filter((folder) => !digested.includes(folder))).toEqual([]);
  });

  it('follows imports to the simulated partner of the sandbox', () => {
    expect(bundledFolders('sandbox')).toContain('libs/simulated-partner');
  });
});
