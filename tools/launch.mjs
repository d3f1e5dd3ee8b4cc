// Every script of package.json runs this file. It works before packages are installed, so it uses Node alone. It checks the
// tools, installs the packages and starts the command in this process: output, exit code and signals are the command's own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as util from 'node:util';
import { commands } from './launch/commands.mjs';
import { fail } from './launch/fail.mjs';
import { install, isInstalled } from './launch/install.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: install Node 20.19 or newer (https://nodejs.org).`);
}

function checkJava(command) {
  if (process.env.KAFKA_BROKERS ?? (command.readsDotEnv && dotEnv().KAFKA_BROKERS)) return;
  const { stdout, stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const install = 'install Java 17 or newer (on Debian: apt install default-jre-headless)';
  if (error) fail(`Java was not found on the PATH, and Kafka needs it: ${install}, or give KAFKA_BROKERS.`);
  const version = /version "(?:1\.)?(\d+)/.exec(stdout + stderr)?.[1];
  // Also when the version is not a number.
  if (!(Number(version) >= 17))
    fail(`Kafka needs a newer Java than the one on the PATH (version ${version ?? 'unknown'}): ${install}.`);
  if (spawnSync('mvn', ['--version'], { encoding: 'utf8' }).error)
    fail(
      'Maven (mvn) was not found on the PATH, and it downloads Kafka: install Maven (on Debian: apt install maven).',
    );
}

/** A misspelt argument must not be ignored: `stack:reset` would remove all data, and `generate -- --chek` would write. */
function checkArguments({ takes }, args) {
  const unknown = takes && args.find((argument) => !takes.includes(argument));
  if (unknown === undefined) return;
  const accepted = takes.length === 0 ? 'no arguments' : `only ${takes.join(', ')}`;
  fail(`npm run ${name} takes ${accepted}, but got ${unknown}: nothing was done (--help shows what it does).`);
}

function dotEnv() {
  const file = path.join(root, '.env');
  return existsSync(file) ? util.parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Prints a command's help without installing packages first, which would take half a minute. */
function showHelp(command) {
  console.log(command.help);
  if (command.ownHelp)
    console.log('\nThe options are shown once the packages are installed: run npm ci or any command.');
}

async function runProgram([packageName, binName, ...before], args) {
  const folder = path.join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = path.join(folder, typeof bin === 'string' ? bin : bin[binName]);
  process.argv = [process.execPath, file, ...before, ...args];
  await import(pathToFileURL(file).href);
}

/**
 * Keeps compiled files with the packages, also those of the processes that this one starts. The compiler's own place is in the
 * temporary folder, where another user may have made it first, with programs that would run here; and nothing ever empties it.
 */
function keepCompiled() {
  // Of its own checkout also when a process of another one starts it.
  process.env.SWC_NODE_PROJECT = path.join(root, 'tools/launch/tsconfig.programs.json');
  const folder = path.join(root, 'node_modules/.cache/swc-node');
  try {
    mkdirSync(folder, { recursive: true });
    process.env.SWC_NODE_CACHE_DIR ??= folder;
  } catch {
    process.env.SWC_NODE_CACHE ??= '0';
  }
}

async function runTypeScript({ file, run, before = [] }, given) {
  const args = [...before, ...given];
  keepCompiled();
  require('@swc-node/register');
  const full = path.join(root, file);
  process.argv = [process.execPath, full, ...args];
  try {
    const exported = require(full);
    if (run) await exported[run](args);
  } catch (error) {
    require(path.join(root, 'tools/stack/failure.ts')).printFailure(error);
    process.exit(1);
  }
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (!command) {
  const known = Object.values(commands).map(({ help }) => `  ${help.split('\n')[0]}`);
  console.log(`node tools/launch.mjs <command> [--help]\n\n${known.join('\n')}`);
  process.exit(name === undefined || name === '--help' ? 0 : 1);
}
process.chdir(root);
const asksHelp = args.includes('--help') || args.includes('-h');
if (asksHelp && !(command.ownHelp && isInstalled(root))) {
  showHelp(command);
  process.exit(0);
}
checkArguments(command, args);
checkNode();
if (command.needsJava && !asksHelp) checkJava(command);
if (command.takesStackName) process.env.STACK_NAME ??= dotEnv().STACK_NAME ?? '';
if (!(command.worksWithOldPackages && existsSync(path.join(root, 'node_modules')))) await install(root);
if (command.bin) await runProgram(command.bin, args);
else await runTypeScript(command, args);
