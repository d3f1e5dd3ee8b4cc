import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../../../tools/stack/distribution-package';
import { StackFailure } from '../../../tools/stack/failure';
import { checkoutFolder, sharedFolder } from '../../../tools/stack/folders';

const execute = promisify(execFile);

/** Folder of the tools for the checks; `npm run stack:reset` removes it. */
export const toolsFolder = path.join(sharedFolder, 'tools');

const ownFolder = path.join(checkoutFolder, 'k8s/tooling');

/** Exit code and output of a program. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program and returns its exit code and output, errors included. */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  try {
    const { stdout, stderr } = await execute(command, args, { maxBuffer: 256 * 1024 * 1024, ...options });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, output: stdout + stderr };
  }
}

/** kubectl with kustomize inside, from the PATH. */
export function kubectl(): string {
  return onPath('kubectl', 'install it from your distribution or from kubernetes.io (1.30 or newer)');
}

/** `kubernetes-validate`, in a separate environment with exactly the packages of the requirements file. */
export async function kubernetesValidate(): Promise<string> {
  const requirements = path.join(ownFolder, 'kubernetes-validate.requirements.txt');
  const home = path.join(toolsFolder, `kubernetes-validate-${digestOf(requirements)}`);
  const program = path.join(home, 'bin/kubernetes-validate');
  if (fs.existsSync(path.join(home, 'complete'))) return program;
  const python = onPath('python3', 'install Python 3.10 or newer with venv (on Debian: apt install python3-venv)');
  fs.rmSync(home, { recursive: true, force: true });
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--require-hashes',
    '-r',
    requirements,
  ];
  await succeed(
    [
      [python, ['-m', 'venv', home]],
      [path.join(home, 'bin/python'), pip],
    ],
    'kubernetes-validate could not be installed: check that Python has venv (on Debian: apt install python3-venv) and that pip reaches its registry.',
  );
  fs.writeFileSync(path.join(home, 'complete'), '');
  return program;
}

let building: Promise<string> | undefined;

/** kube-score, built from the module that go.mod and go.sum in `kube-score/` pin; later calls return the same build. */
export function kubeScore(): Promise<string> {
  return (building ??= buildKubeScore());
}

async function buildKubeScore(): Promise<string> {
  const module = path.join(ownFolder, 'kube-score');
  const program = path.join(toolsFolder, `kube-score-${digestOf(path.join(module, 'go.sum'))}`);
  if (fs.existsSync(program)) return program;
  const go = onPath('go', 'install Go 1.24 or newer (https://go.dev/dl), which builds kube-score');
  const workshop = path.join(toolsFolder, 'go');
  const env = {
    ...process.env,
    GOPATH: workshop,
    GOCACHE: path.join(workshop, 'cache'),
    GOFLAGS: '-mod=readonly -modcacherw -trimpath',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    CGO_ENABLED: '0',
  };
  console.log('· Building kube-score, which takes about a minute the first time');
  const draft = `${program}.${process.pid}`;
  await succeed(
    [[go, ['build', '-o', draft, 'github.com/zegl/kube-score/cmd/kube-score'], { cwd: module, env }]],
    'kube-score could not be built: check that Go is 1.24 or newer and reaches its module proxy.',
  );
  fs.renameSync(draft, program);
  fs.rmSync(workshop, { recursive: true, force: true });
  return program;
}

function onPath(name: string, remedy: string): string {
  const file = findOnPath(name);
  if (!file) throw new StackFailure(`${name} was not found on the PATH: ${remedy}.`);
  return file;
}

/** Runs programs one after the other; throws a failure with the sentence and the end of the output when one fails. */
export async function succeed(steps: readonly Parameters<typeof run>[], sentence: string): Promise<void> {
  fs.mkdirSync(toolsFolder, { recursive: true });
  for (const step of steps) {
    const { code, output } = await run(...step);
    if (code !== 0) throw new StackFailure(sentence, output.trim().split('\n').slice(-12).join('\n'));
  }
}

function digestOf(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex').slice(0, 12);
}
