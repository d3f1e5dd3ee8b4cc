import * as fs from 'node:fs';
import * as path from 'node:path';
import { Interrupted, printFailure, StackFailure } from '../stack/failure';
import { checkoutFolder, StackFolders } from '../stack/folders';
import { Progress } from '../stack/progress';
import { runTool } from '../stack/server-process';
import { Count, sum } from './count';

/** A script of package.json, counted as one check. */
interface Check {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
}

/** Checks without servers, in two concurrent lanes that take about equally long. */
const lanes: readonly (readonly Check[])[] = [
  [{ name: 'Lint', script: 'lint' }],
  [
    { name: 'Types', script: 'typecheck' },
    { name: 'Format', script: 'format:check' },
    { name: 'Dependency rules', script: 'graph' },
    { name: 'Duplication', script: 'duplication' },
    { name: 'Generated files', script: 'generate', args: ['--', '--check'] },
  ],
];

/** Runs all checks whose script exists; a failed one prints its whole output and does not stop the others. */
export async function runChecks(folders: StackFolders, progress: Progress): Promise<Count> {
  const manifest = fs.readFileSync(path.join(checkoutFolder, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const counts = await Promise.all(
    lanes.map(async (lane) => {
      const ran: Count[] = [];
      for (const check of lane.filter(({ script }) => scripts[script]))
        ran.push(await runCheck(check, folders, progress));
      return sum(ran);
    }),
  );
  return sum(counts);
}

async function runCheck({ name, script, args = [] }: Check, folders: StackFolders, progress: Progress): Promise<Count> {
  const logPath = path.join(folders.logs, `check-${script.replace(':', '-')}.log`);
  try {
    await progress.step(name, () =>
      runTool({
        name: `npm run ${script}`,
        command: 'npm',
        args: ['run', '--silent', script, ...args],
        cwd: checkoutFolder,
        logPath,
      }),
    );
    return { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof StackFailure) || error instanceof Interrupted) throw error;
    const output = fs.readFileSync(logPath, 'utf8').trimEnd();
    printFailure(new StackFailure(`npm run ${script} failed:`, output));
    return { passed: 0, failed: 1 };
  }
}
