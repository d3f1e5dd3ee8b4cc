import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Whether the program in a folder is the one that was built of these sources. `npm run build` replaces it without a stamp. */
export function isBuiltOf(sources: string, folder: string): boolean {
  const [stamp, text] = [stampIn(folder), textOf(sources, folder)];
  return text !== undefined && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === text;
}

/** Notes of which sources the program in a folder was built, as a digest. */
export function stampBuild(sources: string, folder: string): void {
  fs.writeFileSync(stampIn(folder), textOf(sources, folder) ?? '');
}

/** Undefined without a program. */
function textOf(sources: string, folder: string): string | undefined {
  const program = path.join(folder, 'main.js');
  if (!fs.existsSync(program)) return undefined;
  return `${sources}-${createHash('sha256').update(fs.readFileSync(program)).digest('hex').slice(0, 24)}`;
}

function stampIn(folder: string): string {
  return path.join(folder, '.sources');
}
