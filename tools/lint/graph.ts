import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

const folders = ['apps', 'libs', 'k8s', 'tools', 'e2e', 'bench', 'sdk'];
/** The dependency rules between files, and that no two folders depend on each other. */
const configs = ['.dependency-cruiser.cjs', '.dependency-cruiser.folders.cjs'];

/** Checks every rule and prints violations; the process exits with 1 if there are any. */
export function graph(args: readonly string[]): void {
  const root = path.resolve(__dirname, '../..');
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  for (const config of configs) {
    const { status } = spawnSync(
      process.execPath,
      [program, ...folders, '--config', config, '--output-type', 'err', ...args],
      { cwd: root, stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
}
