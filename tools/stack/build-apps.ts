import * as fs from 'node:fs';
import * as path from 'node:path';
import { isBuiltOf, stampBuild } from './build-stamp';
import { buildDocsSite } from './docs-site';
import { checkoutFolder, StackFolders } from './folders';
import { runTool } from './server-process';
import { AppName, services } from './services';
import { sourceDigest } from './source-digest';

/**
 * Builds the apps whose sources have changed since their last build, two at a time, and so the documentation site; returns
 * the names of those built.
 */
export async function buildApps(folders: StackFolders): Promise<string[]> {
  const shared = sourceDigest(sharedSources());
  const stale = [...new Set(services.map(({ app }) => app))].flatMap((name) => {
    const hash = `${shared}-${sourceDigest([`apps/${name}`])}`;
    return isBuiltOf(hash, programFolder(name)) ? [] : [{ name, hash }];
  });
  const built: string[] = [];
  const queue = [...stale];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await buildApp(folders, next.name);
      stampBuild(next.hash, programFolder(next.name));
      built.push(next.name);
    }
  };
  const site = async (): Promise<void> => {
    if (await buildDocsSite(folders.logs)) built.push('documentation');
  };
  await Promise.all([worker(), worker(), site()]);
  return built;
}

/** What every app may bundle: settings of the build, and all libraries but the one of tests. */
export function sharedSources(): string[] {
  const libs = fs.readdirSync(path.join(checkoutFolder, 'libs')).filter((name) => name !== 'testing');
  return ['package-lock.json', 'tsconfig.json', 'nest-cli.json', ...libs.map((name) => `libs/${name}`)];
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

function programFolder(name: AppName): string {
  return path.join(checkoutFolder, 'dist/apps', name);
}
