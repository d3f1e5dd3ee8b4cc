import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutFolder, StackFolders } from '../stack/folders';
import { ServerProcess } from '../stack/server-process';
import { Count } from './count';
import { reportedHandles, serversOf } from './reported-handles';

/** One run of jest. */
export interface JestRun {
  readonly folders: StackFolders;
  /** Passes the servers' addresses to specs. */
  readonly stackFile: string;
  readonly name: string;
  readonly args: readonly string[];
  /** Path of the browser, for specs of pages. */
  readonly browser: Readonly<Record<string, string>>;
  /** How many spec files run at once. */
  readonly workers: number;
  /** Path of the Node for jest and all that specs start with their own; this process' by default. */
  readonly node?: string;
  /** How long jest may run after its results; half a minute by default. */
  readonly endsWithinMs?: number;
  /** Receives the message about open handles; standard error by default. */
  readonly say?: (sentence: string) => void;
  /** Its output goes to the log instead of the terminal. */
  readonly isQuiet?: boolean;
}

/** Specs wait for servers more than they compute. */
export const specWorkers = os.availableParallelism() + 1;

/** How long jest may run after its results are in their file: its workers end, then the process itself. */
const endsWithinMs = 30_000;

/**
 * Runs jest with its output on the terminal and counts its tests; a file that does not load is one failed test, and so are a
 * run without any and one that does not end after its results.
 */
export async function runJest(run: JestRun): Promise<Count> {
  const { folders, name, args, workers, browser, stackFile } = run;
  const resultFile = path.join(folders.root, `jest-${name}.json`);
  const reportFile = path.join(folders.root, `jest-${name}-report.json`);
  const jest = new ServerProcess({
    name: 'jest',
    command: run.node ?? process.execPath,
    args: [
      // On SIGUSR2 jest reports its open handles.
      '--report-on-signal',
      `--report-directory=${path.dirname(reportFile)}`,
      `--report-filename=${path.basename(reportFile)}`,
      'node_modules/jest/bin/jest.js',
      `--maxWorkers=${workers}`,
      '--json',
      `--outputFile=${resultFile}`,
      ...args,
    ],
    cwd: checkoutFolder,
    env: { ...process.env, ...browser, PODIUM_TEST_STACK: stackFile },
    logPath: path.join(folders.logs, `jest-${name}.log`),
    output: run.isQuiet ? undefined : 'terminal',
  });
  fs.rmSync(resultFile, { force: true });
  jest.spawn();
  const ended = jest.ended();
  const isLate = await Promise.race([
    ended.then(() => false),
    pastResults(resultFile, run.endsWithinMs ?? endsWithinMs),
  ]);
  if (isLate) {
    (run.say ?? console.error)(await whatIsOpen(run, jest.pid, reportFile));
    await jest.kill();
  }
  const code = await ended;
  if (!fs.existsSync(resultFile)) return { passed: 0, failed: 1 };
  const result = JSON.parse(fs.readFileSync(resultFile, 'utf8')) as JestResult;
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites + (isLate ? 1 : 0);
  return {
    ...{ passed: result.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed },
    // A pattern of names leaves out what nobody asked for.
    skipped: args.some((arg) => /^(-t|--testNamePattern)/.test(arg)) ? [] : skippedIn(result),
  };
}

/** What is read of jest's result file. */
interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Files and names of the tests that a file skips. */
function skippedIn({ testResults }: JestResult): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => `${path.relative(checkoutFolder, name)}: ${fullName}`),
  );
}

/** Resolves with true when the results have been in their file for a time. */
async function pastResults(resultFile: string, forMs: number): Promise<boolean> {
  while (!fs.existsSync(resultFile)) await sleep(250, undefined, { ref: false });
  return sleep(forMs, true, { ref: false });
}

/** Makes a hanging process report its open handles in a sentence. */
async function whatIsOpen({ name, stackFile }: JestRun, pid: number | undefined, reportFile: string): Promise<string> {
  if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  let open: string[] = [];
  for (const end = Date.now() + 10_000; open.length === 0 && Date.now() < end; await sleep(250)) {
    try {
      open = reportedHandles(JSON.parse(fs.readFileSync(reportFile, 'utf8')) as object, serversOf(stackFile));
      if (open.length === 0) break;
    } catch {
      // The report does not exist yet, or is incomplete.
    }
  }
  return (
    `\nError: jest (${name}) has printed its results and does not end; still open: ` +
    `${open.join(', ') || 'something without an address, such as a timer'}. Close it in the spec that opens it.`
  );
}
