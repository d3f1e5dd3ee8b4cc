import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder, StackFolders } from './folders';
import { runTool } from './server-process';
import { AppName, services } from './services';

/** Sources of the documentation site: its pages, and what they include. */
const siteSources = ['docs/site', 'docs/examples', 'package-lock.json'];
/** Where VitePress writes it and what it caches, below the checkout. */
const siteOutput = ['docs/site/.vitepress/dist', 'docs/site/.vitepress/cache'];

/**
 * Builds the apps whose sources have changed since their last build, two at a time, and so the documentation site; returns
 * the names of those built.
 */
export async function buildApps(folders: StackFolders): Promise<string[]> {
  const libs = ['libs/messages', 'libs/partner-check', 'libs/runtime'];
  const shared = hashFiles(['package-lock.json', 'tsconfig.json', 'nest-cli.json', ...libs]);
  const stale = services.flatMap(({ name }) => {
    const hash = `${shared}-${hashFiles([`apps/${name}`])}`;
    return readStamp(name) === hash ? [] : [{ name, hash }];
  });
  const built: string[] = [];
  const queue = [...stale];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await buildApp(folders, next.name);
      fs.writeFileSync(stampOf(next.name), next.hash);
      built.push(next.name);
    }
  };
  const site = async (): Promise<void> => {
    if (await buildDocsSite(folders)) built.push('documentation');
  };
  await Promise.all([worker(), worker(), site()]);
  return built;
}

/** Builds the documentation site when its sources have changed since its last build; returns whether it did. */
export async function buildDocsSite(folders: StackFolders): Promise<boolean> {
  const stamp = path.join(checkoutFolder, siteOutput[0], '.sources');
  const hash = hashFiles(siteSources, siteOutput);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hash) return false;
  await runTool({
    name: 'vitepress build',
    command: process.execPath,
    args: ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs/site'],
    cwd: checkoutFolder,
    logPath: path.join(folders.logs, 'build-docs.log'),
  });
  fs.writeFileSync(stamp, hash);
  return true;
}

async function buildApp(folders: StackFolders, name: AppName): Promise<void> {
  await runTool({
    name: `nest build ${name}`,
    command: process.execPath,
    args: ['node_modules/@nestjs/cli/bin/nest.js', 'build', name],
    cwd: checkoutFolder,
    logPath: path.join(folders.logs, `build-${name}.log`),
  });
}

function stampOf(name: AppName): string {
  return path.join(checkoutFolder, 'dist/apps', name, '.sources');
}

function readStamp(name: AppName): string | undefined {
  return fs.existsSync(stampOf(name)) ? fs.readFileSync(stampOf(name), 'utf8') : undefined;
}

/** A digest over the paths and contents of files and folders; specs do not count, they are not built. */
function hashFiles(roots: string[], except: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const file of roots.flatMap((root) => filesBelow(root, except))) {
    hash.update(`${file}\0`);
    hash.update(fs.readFileSync(path.join(checkoutFolder, file)));
  }
  return hash.digest('hex').slice(0, 24);
}

function filesBelow(relative: string, except: readonly string[]): string[] {
  if (except.includes(relative)) return [];
  const absolute = path.join(checkoutFolder, relative);
  if (fs.statSync(absolute).isFile()) return relative.endsWith('.spec.ts') ? [] : [relative];
  return fs
    .readdirSync(absolute)
    .sort()
    .flatMap((name) => filesBelow(path.join(relative, name), except));
}
