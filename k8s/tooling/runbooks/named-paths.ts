import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';
import { inlineCodeOf } from './operations-page';

/** Folders of the repository that pages may name. */
const folders = ['apps', 'bench', 'docs', 'e2e', 'k8s', 'libs', 'sdk', 'tools'];
/** What packages and builds put there is not of the repository. */
const foreign = /(^|\/)(node_modules|dist)(\/|$)/;

/** Files and folders that exist, by their path from the checkout. */
export function readRepositoryPaths(): ReadonlySet<string> {
  return new Set(
    folders.flatMap((folder) => [
      folder,
      ...fs
        .readdirSync(path.join(checkoutFolder, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => !foreign.test(name))
        .map((name) => `${folder}/${name}`),
    ]),
  );
}

/**
 * Paths in backticks that do not exist. A path begins with a folder of the repository, or with one of `k8s`, as the page
 * on deployment has it; a name with an ending of a source file is that of some file. Paths with a placeholder are not checked.
 */
export function pathProblems(text: string, existing: ReadonlySet<string>): string[] {
  const names = new Set([...existing].map((each) => path.posix.basename(each)));
  const isRoot = (folder: string): boolean => folders.includes(folder) || existing.has(`k8s/${folder}`);
  const problems = inlineCodeOf(text).filter((code) => {
    if (/^[\w.-]+\.(ts|mjs|cjs|yaml|env|conf|md)$/.test(code)) return !names.has(code);
    if (!/^[\w@.-]+(\/[\w@.-]+)*\/?$/.test(code) || !code.includes('/')) return false;
    const named = code.replace(/\/$/, '');
    return isRoot(named.split('/')[0]) && !existing.has(named) && !existing.has(`k8s/${named}`);
  });
  return [...new Set(problems)].map((named) => `there is no ${named}`);
}
