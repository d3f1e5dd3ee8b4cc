import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

/** Checks the dependency rules between files, and that no two folders of an app depend on each other. */
const rules = [
  { config: '.dependency-cruiser.cjs', folders: ['apps', 'libs', 'k8s', 'tools', 'e2e', 'bench'] },
  { config: '.dependency-cruiser.folders.cjs', folders: ['apps'] },
];

/** Checks every rule and prints violations; the process exits with 1 if there are any. */
export function graph(args: readonly string[]): void {
  const root = path.resolve(__dirname, '../..');
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  for (const { config, folders } of rules) {
    const { status } = spawnSync(
      process.execPath,
      [program, ...folders, '--config', config, '--output-type', 'err', ...args],
      { cwd: root, stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
}
