import * as fs from 'node:fs';
import * as path from 'node:path';
import { globsToMatcher } from 'jest-util';
import { checkoutFolder } from '../stack/folders';
import { specFiles } from './spec-files';

/** Folders at the top with sources; the others are installed, built or written by runs. */
const folders = fs
  .readdirSync(checkoutFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name));

const files = folders.flatMap(({ name }) =>
  fs
    .readdirSync(path.join(checkoutFolder, name), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(name, file))
    .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules')),
);

/** The runs of all commands with what they select, as jest reads it. */
const runs = Object.entries(specFiles).flatMap(([command, selected]) =>
  Object.entries(selected).map(([kind, [, ...patterns]]) => ({
    run: `${command} ${kind}`,
    selects: globsToMatcher(patterns.map((pattern) => pattern.replace('<rootDir>', checkoutFolder))),
  })),
);

function runsOf(file: string): string[] {
  return runs.filter(({ selects }) => selects(path.join(checkoutFolder, file))).map(({ run }) => run);
}

describe('the files of npm test, check:long and check:operations', () => {
  it('are all spec files, each in one run', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.map((file) => [file, runsOf(file)]).filter(([, chosen]) => chosen.length !== 1)).toEqual([]);
  });

  it.each([
    ['apps/linkage/src/a.spec.ts', 'test specs'],
    ['apps/linkage/src/a.long.db.spec.ts', 'long specs'],
    ['apps/operator/src/a.spec.ts', 'operations specs'],
    ['apps/operator/src/a.long.spec.ts', 'operations specs'],
    ['bench/a.spec.ts', 'test specs'],
    ['e2e/a.spec.ts', 'test journeys'],
    ['e2e/a.long.spec.ts', 'long journeys'],
    ['e2e/competition-projection.long.spec.ts', 'long specs'],
    ['e2e/operations/a.long.spec.ts', 'operations pairedJourneys'],
    ['e2e/operations/rolling.spec.ts', 'operations journeys'],
  ])('%s is one of the %s', (file, run) => {
    expect(runsOf(file)).toEqual([run]);
  });
});
