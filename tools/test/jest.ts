import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { checkoutFolder, StackFolders } from '../stack/folders';
import { ServerProcess } from '../stack/server-process';
import { Count } from './count';

/** One run of jest. */
export interface JestRun {
  readonly folders: StackFolders;
  /** Says to specs where the servers are. */
  readonly stackFile: string;
  readonly name: string;
  readonly args: readonly string[];
  /** Where the browser is, for specs of pages. */
  readonly browser: Readonly<Record<string, string>>;
  /** How many spec files run at once. */
  readonly workers: number;
}

/** Specs wait for servers more than they compute. */
export const specWorkers = Math.max(2, os.availableParallelism() - 1);

/** Runs jest with its output on the terminal and counts its tests; a file that does not load is one failed test, and so is a run without any. */
export async function runJest({ folders, stackFile, name, args, workers, browser }: JestRun): Promise<Count> {
  const resultFile = path.join(folders.root, `jest-${name}.json`);
  const jest = new ServerProcess({
    name: 'jest',
    command: process.execPath,
    args: [
      'node_modules/jest/bin/jest.js',
      `--maxWorkers=${workers}`,
      // A socket that a spec has forgotten must not keep the command from ending.
      '--forceExit',
      '--json',
      `--outputFile=${resultFile}`,
      ...args,
    ],
    cwd: checkoutFolder,
    env: { ...process.env, ...browser, PODIUM_TEST_STACK: stackFile },
    logPath: path.join(folders.logs, `jest-${name}.log`),
    output: 'terminal',
  });
  jest.spawn();
  const code = await jest.ended();
  if (!fs.existsSync(resultFile)) return { passed: 0, failed: 1 };
  const result = JSON.parse(fs.readFileSync(resultFile, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numRuntimeErrorTestSuites: number;
  };
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return { passed: result.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}
