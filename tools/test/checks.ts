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
  [
    { name: 'Types', script: 'typecheck' },
    { name: 'Duplication', script: 'duplication' },
  ],
  [
    { name: 'Generated files', script: 'generate', args: ['--', '--check'] },
    { name: 'Dependency rules', script: 'graph' },
  ],
];

/** They compute for long and need nothing else: specs leave them enough time, because they often wait. */
const besideSpecs: readonly Check[] = [
  { name: 'Lint', script: 'lint' },
  { name: 'Format', script: 'format:check' },
];

/**
 * Runs a command, its further arguments, with a third of the share of specs, so that it ends before they do. Linux shares time
 * between sessions first, and each process that is started here has one of its own (sched_autogroup_enabled): `nice` alone
 * would do nothing.
 */
export const atLowPriority = [
  'sh',
  '-c',
  '{ echo 5 > /proc/self/autogroup; } 2>/dev/null; exec nice -n 5 "$0" "$@"',
] as const;

/** Runs the checks of both lanes; a failed one prints its whole output and does not stop the others. */
export async function runChecks(folders: StackFolders, progress: Progress): Promise<Count> {
  requireScripts([...besideSpecs, ...lanes.flat()].map(({ script }) => script));
  const counts = await Promise.all(
    lanes.map(async (lane) => {
      const ran: Count[] = [];
      for (const check of lane) ran.push(await count(check, folders, progress, () => run(check, folders)));
      return sum(ran);
    }),
  );
  return sum(counts);
}

/**
 * Begins the checks that run beside specs, one after the other, at low priority; the returned function waits for their end and
 * counts them.
 */
export function beginChecksBesideSpecs(folders: StackFolders): (progress: Progress) => Promise<Count> {
  let before = Promise.resolve();
  const begun = besideSpecs.map((check) => {
    const running = before.then(() => run(check, folders, atLowPriority));
    // A failure is thrown where it is awaited, and does not stop the others.
    before = running.catch(() => undefined);
    return { check, running };
  });
  return async (progress) => {
    const ran: Count[] = [];
    for (const { check, running } of begun) ran.push(await count(check, folders, progress, () => running));
    return sum(ran);
  };
}

/** Without its script a check would not run, and nothing would fail. */
export function requireScripts(names: readonly string[], checkout = checkoutFolder): void {
  const manifest = fs.readFileSync(path.join(checkout, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const missing = names.filter((name) => !scripts[name]);
  if (missing.length > 0)
    throw new StackFailure(
      `package.json has no script ${missing.join(', ')}, which npm test runs: add it, or correct tools/test/checks.ts.`,
    );
}

function run({ script, args = [] }: Check, folders: StackFolders, before: readonly string[] = []): Promise<void> {
  const [command, ...rest] = [...before, 'npm', 'run', '--silent', script, ...args];
  return runTool({
    name: `npm run ${script}`,
    ...{ command, args: rest, cwd: checkoutFolder, logPath: logOf(script, folders) },
  });
}

async function count(
  { name, script }: Check,
  folders: StackFolders,
  progress: Progress,
  work: () => Promise<void>,
): Promise<Count> {
  try {
    await progress.step(name, work);
    return { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof StackFailure) || error instanceof Interrupted) throw error;
    const output = fs.readFileSync(logOf(script, folders), 'utf8').trimEnd();
    printFailure(new StackFailure(`npm run ${script} failed:`, output));
    return { passed: 0, failed: 1 };
  }
}

function logOf(script: string, folders: StackFolders): string {
  return path.join(folders.logs, `check-${script.replace(':', '-')}.log`);
}
