import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const checkout = join(__dirname, '../../..');

/** Builds the documentation site of this checkout unless it is built; `npm test` has built it before. */
export function buildSiteOnce(): void {
  if (existsSync(join(checkout, 'docs/site/.vitepress/dist/index.html'))) return;
  execFileSync(process.execPath, ['-r', '@swc-node/register', 'tools/stack/build-docs-site.ts'], {
    cwd: checkout,
    stdio: 'pipe',
  });
}
