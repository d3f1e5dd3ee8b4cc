// Installs the npm packages when they are missing or belong to another package-lock.json. Messages go to
// standard error: the standard output of a command is its result alone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from './fail.mjs';

/** Whether the packages that package-lock.json names are installed. */
export function isInstalled(root) {
  const file = stampFile(root);
  const stamp = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (stamp === stampOf(root)) return true;
  // Another version of Node may need other binaries.
  if (stamp?.includes('\n') && !stamp.endsWith(`\n${node}`)) return false;
  if (!isSameAsLock(root)) return false;
  writeFileSync(file, stampOf(root));
  return true;
}

/** Runs `npm ci` unless the packages are installed; one command at a time, and never under a running stack. */
export async function install(root) {
  if (isInstalled(root)) return;
  refuseBelowRunningStack(root);
  const lock = path.join(root, '.stack/installing.json');
  mkdirSync(path.dirname(lock), { recursive: true });
  while (!take(lock)) {
    console.error('Another command is installing the npm packages; waiting for it …');
    while (holderOf(lock)) await sleep(500);
  }
  try {
    if (!isInstalled(root)) await runNpm(root);
  } finally {
    rmSync(lock, { force: true });
  }
}

async function runNpm(root) {
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
  console.error('Installing the npm packages (npm ci), which takes about half a minute …');
  const ticker = setInterval(() => console.error(`  … still installing, ${elapsed()}`), 10_000);
  const code = await new Promise((resolve) => {
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
    npm.on('error', () => resolve(1));
    npm.on('exit', (exitCode) => resolve(exitCode));
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => npm.kill(signal));
  });
  clearInterval(ticker);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  if (code !== 0)
    fail('npm ci failed (see above): check the network and the registry of "npm config get registry", then try again.');
  writeFileSync(stampFile(root), stampOf(root));
  console.error(`Installed the npm packages (${elapsed()}).`);
}

function stampFile(root) {
  return path.join(root, 'node_modules/.podium-lock');
}

/** Content of the stamp of an installation: a digest of package-lock.json, and the Node version. */
function stampOf(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')}\n${node}`;
}

const node = `${process.platform}-${process.arch}-${process.versions.modules}`;

/** Whether a manual npm run has installed the packages of package-lock.json; npm writes a lock file of the installed ones. */
function isSameAsLock(root) {
  const file = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(file)) return false;
  const packagesOf = (lockFile) => JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  const installed = packagesOf(file);
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const isThere = ([name, { version, integrity, optional, devOptional }]) =>
    installed[name] === undefined
      ? optional || devOptional
      : installed[name].version === version && installed[name].integrity === integrity;
  return Object.entries(wanted)
    .filter(([name]) => name !== '')
    .every(isThere);
}

/** Running services load packages on demand: replacing the packages would break them. */
function refuseBelowRunningStack(root) {
  const folder = path.join(root, '.stack');
  if (!existsSync(folder) || !existsSync(path.join(root, 'node_modules'))) return;
  for (const name of ['.', ...readdirSync(folder)]) {
    const other = holderOf(path.join(folder, name, 'running.json'));
    if (other)
      fail(
        `package-lock.json has changed, and "${other.command}" (process ${other.pid}) still runs with the packages from before: stop it with Ctrl-C there, then try again.`,
      );
  }
}

/**
 * Takes the lock, also from a process that ended without releasing it; false when another process holds it. The file appears
 * with its content: another command would take an empty one for the lock of a process that has ended.
 */
function take(lock) {
  if (existsSync(lock) && !holderOf(lock)) removeLeft(lock);
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid }));
  try {
    return linked(draft, lock);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the lock of a process that has ended. What another one made meanwhile, after removing it too, is put back. */
function removeLeft(lock) {
  const aside = `${lock}.${process.pid}.left`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (holderOf(aside)) linked(aside, lock);
  rmSync(aside, { force: true });
}

/** False when there is a file of the name already. */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** What a lock says of the process that holds it, if that lives. A lock that a full disk has cut short holds nothing. */
function holderOf(lock) {
  try {
    const holder = JSON.parse(readFileSync(lock, 'utf8'));
    return isAlive(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process of this id runs and is a command of this repository: after a reboot another program may have the id. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const file = `/proc/${pid}/cmdline`;
  return !existsSync(file) || readFileSync(file, 'utf8').includes('launch.mjs');
}
