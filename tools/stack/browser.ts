import * as path from 'node:path';
import { DistributionProgram, RunnableProgram, findOnPath, unpackedProgram } from './distribution-package';
import { StackFolders, runsAsRoot } from './folders';
import { runTool } from './server-process';

const chromium: DistributionProgram = {
  name: 'chromium',
  programs: ['lib/chromium/chromium', 'bin/chromium'],
  packages: ['chromium'],
  remedy:
    'No browser is on the PATH and the distribution has no Chromium package: install Chromium, the browser tests need it.',
};

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Finds a browser on the PATH; else installs Chromium where root may, or unpacks the distribution's package. */
export async function findBrowser(folders: StackFolders): Promise<RunnableProgram> {
  const installed = (): string | undefined => names.map(findOnPath).find((file) => file !== undefined);
  if (!installed() && runsAsRoot()) await install(folders).catch(() => undefined);
  const command = installed();
  return command ? { command, env: process.env } : unpackedProgram(chromium, folders);
}

async function install(folders: StackFolders): Promise<void> {
  if (!findOnPath('apt-get')) return;
  const logPath = path.join(folders.logs, 'chromium-install.log');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runTool({ name: 'apt-get update', command: 'apt-get', args: ['update'], env, logPath });
  const args = ['install', '-y', '--no-install-recommends', 'chromium'];
  await runTool({ name: 'apt-get install', command: 'apt-get', args, env, logPath });
}
