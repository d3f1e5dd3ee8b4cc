import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../tools/stack/failure';
import { StackFolders } from '../../../tools/stack/folders';
import { runTool } from '../../../tools/stack/server-process';
import { toolsFolder } from '../checks/external-tools';
import { goEnvironment } from './go-environment';
import { KubernetesVersion, controlPlaneFolder, goVersion, modFiles } from './kubernetes-version';

/** The program that holds all parts of a control plane, built once for each content of its module. */
export async function openControlPlaneProgram(version: KubernetesVersion, folders: StackFolders): Promise<string> {
  const program = programPath(version);
  if (fs.existsSync(program)) return program;
  fs.mkdirSync(toolsFolder, { recursive: true });
  const draft = `${program}.${process.pid}`;
  try {
    await build(version, draft, path.join(folders.logs, `build-kubernetes-${version}.log`));
    fs.renameSync(draft, program);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return program;
}

/** Whether the program of this version is built. */
export function isBuilt(version: KubernetesVersion): boolean {
  return fs.existsSync(programPath(version));
}

function programPath(version: KubernetesVersion): string {
  const modFile = modFiles[version];
  const sources = ['main.go', modFile, modFile.replace(/mod$/, 'sum')];
  const digest = createHash('sha256');
  for (const file of sources) digest.update(fs.readFileSync(path.join(controlPlaneFolder, file)));
  return path.join(toolsFolder, `kubernetes-${version}-${digest.digest('hex').slice(0, 12)}`);
}

async function build(version: KubernetesVersion, output: string, logPath: string): Promise<void> {
  try {
    await runTool({
      name: 'go build',
      command: 'go',
      // Two packages at once: some take a gigabyte to compile. Without symbols the linker takes half of the memory.
      args: ['build', '-p', '2', '-ldflags', '-s -w', `-modfile=${modFiles[version]}`, '-o', output, '.'],
      cwd: controlPlaneFolder,
      env: goEnvironment(),
      logPath,
    });
  } catch (error) {
    if (!(error instanceof StackFailure)) throw error;
    throw new StackFailure(
      `The control plane of Kubernetes ${version} could not be built: check that Go is ${goVersion} or newer and reaches its module proxy, and that 6 GB of disk and 4 GB of memory are free. The next run continues the build.`,
      error.details,
    );
  }
}
