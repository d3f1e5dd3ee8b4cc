import * as fs from 'node:fs';
import * as path from 'node:path';
import { Interrupted, printFailure, StackFailure } from '../stack/failure';
import { checkoutFolder, StackFolders } from '../stack/folders';
import { Progress } from '../stack/progress';
import { runTool } from '../stack/server-process';
import { Count, sum } from './count';

/** What is checked without servers: scripts of package.json, each counted as one. */
const checks: readonly { name: string; script: string; args?: string[] }[] = [
  { name: 'Types', script: 'typecheck' },
  { name: 'Lint', script: 'lint' },
  { name: 'Format', script: 'format:check' },
  { name: 'Laws of the graph', script: 'graph' },
  { name: 'Generated files', script: 'generate', args: ['--', '--check'] },
];

/** Runs all checks whose script exists; a failed one prints its whole output and does not keep the others back. */
export async function runChecks(folders: StackFolders, progress: Progress): Promise<Count> {
  const manifest = fs.readFileSync(path.join(checkoutFolder, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const counts: Count[] = [];
  for (const { name, script, args } of checks.filter((check) => scripts[check.script])) {
    const logPath = path.join(folders.logs, `check-${script.replace(':', '-')}.log`);
    try {
      await progress.step(name, () =>
        runTool({
          name: `npm run ${script}`,
          command: 'npm',
          args: ['run', '--silent', script, ...(args ?? [])],
          cwd: checkoutFolder,
          logPath,
        }),
      );
      counts.push({ passed: 1, failed: 0 });
    } catch (error) {
      if (!(error instanceof StackFailure) || error instanceof Interrupted) throw error;
      const output = fs.readFileSync(logPath, 'utf8').trimEnd();
      printFailure(new StackFailure(`npm run ${script} failed:`, output));
      counts.push({ passed: 0, failed: 1 });
    }
  }
  return sum(counts);
}
