import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from './folders';

/**
 * A digest over the paths and contents of files and folders, relative to the checkout. Specs and caches do not count: they
 * are not built.
 */
export function sourceDigest(roots: readonly string[], except: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const file of roots.flatMap((root) => filesBelow(root, except))) {
    hash.update(`${file}\0`);
    hash.update(fs.readFileSync(path.join(checkoutFolder, file)));
  }
  return hash.digest('hex').slice(0, 24);
}

function filesBelow(relative: string, except: readonly string[]): string[] {
  if (except.includes(relative) || path.basename(relative) === '__pycache__') return [];
  const absolute = path.join(checkoutFolder, relative);
  if (fs.statSync(absolute).isFile()) return relative.endsWith('.spec.ts') ? [] : [relative];
  return fs
    .readdirSync(absolute)
    .sort()
    .flatMap((name) => filesBelow(path.join(relative, name), except));
}
