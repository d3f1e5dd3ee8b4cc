import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { StackFailure } from './failure';
import { checkoutFolder, StackFolders } from './folders';
import { runTool } from './server-process';
import { services } from './services';

const run = promisify(execFile);

/** Names the commit of the release before this one; see docs/operations/upgrade.md. */
export const previousReleaseFile = 'k8s/previous-release';

/** The apps of a release, without the sandbox. */
const apps = [...new Set(services.map(({ app }) => app))].filter((name) => name !== 'sandbox');

/** Checks the previous release out in a worktree of its own and builds it, once per commit; returns the folder. */
export async function openPreviousRelease(folders: StackFolders): Promise<string> {
  const commit = readPreviousRelease();
  const home = path.join(folders.cache, `previous-release-${commit.slice(0, 12)}`);
  const complete = path.join(home, 'dist/complete');
  if (!fs.existsSync(complete)) {
    await requireCommit(commit);
    await checkOut(commit, home, path.join(folders.logs, 'previous-release.log'));
  }
  // Linked packages are valid only as long as both releases need the same versions.
  await linkOrInstall(home, path.join(folders.logs, 'previous-release-install.log'));
  if (!fs.existsSync(complete)) {
    await build(home, folders);
    fs.writeFileSync(complete, '');
  }
  return home;
}

/** The full id of the previous release's commit. */
export function readPreviousRelease(): string {
  const lines = fs.readFileSync(path.join(checkoutFolder, previousReleaseFile), 'utf8').split('\n');
  const [commit] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (/^[0-9a-f]{40}$/.test(commit ?? '')) return commit;
  throw new StackFailure(
    `${previousReleaseFile} does not name a commit: write the full id of the previous release's there.`,
  );
}

/** Makes sure that a commit is in this clone, fetching it if needed; an unavailable commit is a StackFailure. */
export async function requireCommit(commit: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    git('cat-file', '-e', `${commit}^{commit}`).then(
      () => true,
      () => false,
    );
  if (await isThere()) return;
  await git('fetch', '--quiet', '--depth=1', 'origin', commit).catch(() => undefined);
  if (await isThere()) return;
  throw new StackFailure(
    `The commit ${commit} of the previous release, which ${previousReleaseFile} names, is not in this clone and could not be fetched: run "git fetch --unshallow", or "git fetch origin ${commit}".`,
  );
}

/** An unfinished worktree is re-created; one whose folder was removed is still registered, hence --force. */
async function checkOut(commit: string, home: string, logPath: string): Promise<void> {
  fs.rmSync(home, { recursive: true, force: true });
  await runTool({
    name: 'git worktree add',
    command: 'git',
    args: ['worktree', 'add', '--force', '--force', '--detach', home, commit],
    cwd: checkoutFolder,
    env: ownRepository(),
    logPath,
  });
}

async function linkOrInstall(home: string, logPath: string): Promise<void> {
  const modules = path.join(home, 'node_modules');
  const present = fs.lstatSync(modules, { throwIfNoEntry: false });
  if (present && !present.isSymbolicLink()) return;
  if (oursServe(home)) {
    if (!present) fs.symlinkSync(path.join(checkoutFolder, 'node_modules'), modules);
    return;
  }
  fs.rmSync(modules, { force: true });
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await runTool({ name: 'npm ci of the previous release', command: 'npm', args, cwd: home, logPath });
  } catch (error) {
    fs.rmSync(modules, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Whether the installed packages are sufficient for it: each that it requires is installed in the same version, so their
 * own dependencies are installed too.
 */
function oursServe(home: string): boolean {
  const [own, its] = [lockedPackages(checkoutFolder), lockedPackages(home)];
  const { dependencies, devDependencies } = its[''];
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) => {
    const place = `node_modules/${name}`;
    return own[place] !== undefined && own[place].version === its[place]?.version;
  });
}

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Packages by their path; the project itself is at ''. */
function lockedPackages(folder: string): Readonly<Record<string, LockedPackage>> {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return lock.packages;
}

async function build(home: string, folders: StackFolders): Promise<void> {
  const queue = [...apps];
  const worker = async (): Promise<void> => {
    for (let app = queue.shift(); app; app = queue.shift())
      await runTool({
        name: `nest build ${app} of the previous release`,
        command: process.execPath,
        args: ['node_modules/@nestjs/cli/bin/nest.js', 'build', app],
        cwd: home,
        logPath: path.join(folders.logs, `build-previous-${app}.log`),
      });
  };
  await Promise.all([worker(), worker()]);
}

async function git(...args: string[]): Promise<void> {
  await run('git', args, { cwd: checkoutFolder, env: ownRepository() });
}

/** A git hook that runs the tests sets variables that point to another repository. */
function ownRepository(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}
