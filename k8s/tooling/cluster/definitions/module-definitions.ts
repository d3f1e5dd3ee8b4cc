import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../../tools/stack/failure';
import { StackFolders } from '../../../../tools/stack/folders';
import { runTool } from '../../../../tools/stack/server-process';
import { goEnvironment, goCaches } from '../go-environment';
import { DefinitionModule, definitionModules } from './sources';

/**
 * Copies the definitions of all modules into a folder, by file names that begin with the module's. Fails when a module does
 * not have the metrics of the alerts: a renamed one would leave its alert silent.
 */
export async function fetchModuleDefinitions(to: string, folders: StackFolders): Promise<void> {
  // One after the other: they run during the build of the control plane and only wait for the network.
  for (const module of definitionModules) {
    const sources = await download(module, folders);
    const missing = missingMetrics(module, (file) => fs.readFileSync(path.join(sources, file), 'utf8'));
    if (missing.length > 0)
      throw new StackFailure(
        `${module.name} ${module.version} has no metrics ${missing.join(', ')}: use their new names in k8s/tooling/alerts.`,
      );
    const from = path.join(sources, module.folder);
    const files = fs.readdirSync(from).filter((file) => file.endsWith('.yaml'));
    for (const file of files) fs.copyFileSync(path.join(from, file), path.join(to, `${fileName(module)}-${file}`));
  }
}

/** The texts of a module's metrics that its sources do not contain as words. */
export function missingMetrics({ metrics = {} }: DefinitionModule, read: (file: string) => string): string[] {
  return Object.entries(metrics).flatMap(([file, names]) => {
    const words = new Set(read(file).split(/\W+/));
    return names.filter((name) => !words.has(name));
  });
}

/** Downloads a module and compares its digest; returns its folder. */
async function download(module: DefinitionModule, folders: StackFolders): Promise<string> {
  const output = path.join(folders.root, `${fileName(module)}.json`);
  fs.mkdirSync(goCaches, { recursive: true });
  try {
    await runTool({
      name: 'go mod download',
      command: 'go',
      args: ['mod', 'download', '-json', `${module.path}@${module.version}`],
      cwd: goCaches,
      env: { ...goEnvironment(), GOFLAGS: '-modcacherw' },
      logPath: path.join(folders.logs, 'definitions.log'),
      output: { file: output },
    });
  } catch (error) {
    if (!(error instanceof StackFailure)) throw error;
    throw new StackFailure(
      `The definitions of ${module.name} could not be downloaded: check that Go reaches its module proxy, then try again.`,
      error.details,
    );
  }
  const { Dir, Sum } = JSON.parse(fs.readFileSync(output, 'utf8')) as { Dir: string; Sum: string };
  if (Sum === module.sum) return Dir;
  throw new StackFailure(
    `${module.path}@${module.version} has the digest ${Sum} and not ${module.sum}: find out why it changed before you use it.`,
  );
}

function fileName({ path: modulePath }: DefinitionModule): string {
  return modulePath.replaceAll(/[^a-z0-9]+/g, '-');
}
