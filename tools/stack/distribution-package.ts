import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { StackFailure } from './failure';
import { runsAsRoot, StackFolders } from './folders';
import { runTool } from './server-process';

const run = promisify(execFile);

/** A program for which the distribution has a package. */
export interface DistributionProgram {
  /** Names its folder in the cache and its log. */
  readonly name: string;
  /** Paths below `/usr` of suitable programs, best first. */
  readonly programs: readonly string[];
  /** Packages that contain one of them; the first known to the distribution is used. */
  readonly packages: readonly string[];
  /** What the user should do when the program is unavailable. */
  readonly remedy: string;
}

/** An executable program, and its environment. */
export interface RunnableProgram {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Unpacks the distribution's package without installing it, once per cache; needs no rights. */
export async function unpackedProgram(program: DistributionProgram, folders: StackFolders): Promise<RunnableProgram> {
  const home = path.join(folders.cache, program.name);
  return runnable(program, home) ?? (await unpackPackage(program, folders, home));
}

/** The full path of a program on the PATH. */
export function findOnPath(program: string): string | undefined {
  const candidates = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, program));
  return candidates.find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return true;
    } catch {
      // Missing, or in a folder that this user may not enter.
      return false;
    }
  });
}

async function unpackPackage(
  program: DistributionProgram,
  folders: StackFolders,
  home: string,
): Promise<RunnableProgram> {
  const failure = (details?: string): StackFailure => new StackFailure(program.remedy, details);
  if (!findOnPath('apt-get') || !findOnPath('dpkg')) throw failure();
  const draft = `${home}.${process.pid}`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(path.join(draft, 'packages'), { recursive: true });
  const logPath = path.join(folders.logs, `${program.name}-unpack.log`);
  try {
    // The system's package lists may be missing or too old, as in many container images; then own lists are downloaded.
    await download(program, draft, logPath, sandboxOptions()).catch(() =>
      downloadWithOwnLists(program, draft, logPath),
    );
    for (const file of fs.readdirSync(path.join(draft, 'packages')))
      await runTool({
        name: 'dpkg -x',
        command: 'dpkg',
        args: ['-x', path.join(draft, 'packages', file), path.join(draft, 'root')],
        logPath,
      });
    fs.rmSync(path.join(draft, 'packages'), { recursive: true });
    if (!runnable(program, draft)) throw failure();
    // Another stack may have been faster.
    if (!runnable(program, home)) fs.renameSync(draft, home);
  } catch (error) {
    throw error instanceof StackFailure ? failure(error.details) : failure(String(error));
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  const unpacked = runnable(program, home);
  if (!unpacked) throw failure();
  return unpacked;
}

async function downloadWithOwnLists(program: DistributionProgram, draft: string, logPath: string): Promise<void> {
  const apt = path.join(draft, 'apt');
  for (const folder of ['state/lists/partial', 'cache/archives/partial'])
    fs.mkdirSync(path.join(apt, folder), { recursive: true });
  const options = [
    ...sandboxOptions(),
    '-o',
    `Dir::State=${path.join(apt, 'state')}`,
    '-o',
    'Dir::State::status=/var/lib/dpkg/status',
    '-o',
    `Dir::Cache=${path.join(apt, 'cache')}`,
  ];
  await runTool({ name: 'apt-get update', command: 'apt-get', args: [...options, 'update'], logPath });
  await download(program, draft, logPath, options);
  fs.rmSync(apt, { recursive: true });
}

/** Downloads the program's package and those of its dependencies that this machine lacks. */
async function download(
  program: DistributionProgram,
  draft: string,
  logPath: string,
  options: string[],
): Promise<void> {
  await runTool({
    name: 'apt-get download',
    command: 'apt-get',
    args: [...options, 'download', ...(await firstKnown(program.packages, options))],
    cwd: path.join(draft, 'packages'),
    logPath,
  });
}

async function firstKnown(packages: readonly string[], options: string[]): Promise<string[]> {
  for (const name of packages.slice(0, -1)) {
    const missing = await missingPackages(name, options).catch(() => undefined);
    if (missing) return missing;
  }
  return missingPackages(packages[packages.length - 1], options);
}

/** The packages that apt would install for a package, from a simulation that needs no rights. */
async function missingPackages(name: string, options: string[]): Promise<string[]> {
  const { stdout } = await run('apt-get', [...options, '-s', 'install', '--no-install-recommends', name]);
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1]);
}

/** apt's own user may not enter a checkout of mode 700. */
function sandboxOptions(): string[] {
  return runsAsRoot() ? ['-o', 'APT::Sandbox::User=root'] : [];
}

function runnable(program: DistributionProgram, home: string): RunnableProgram | undefined {
  const root = path.join(home, 'root');
  const command = program.programs.map((file) => path.join(root, 'usr', file)).find((file) => fs.existsSync(file));
  if (!command) return undefined;
  const libraries = ['usr/lib', 'lib']
    .map((folder) => path.join(root, folder))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => [folder, ...fs.readdirSync(folder).map((name) => path.join(folder, name))])
    .filter((folder) => fs.statSync(folder).isDirectory());
  return { command, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } };
}
