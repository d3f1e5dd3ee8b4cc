import * as fs from 'node:fs';
import { StackFolders, openFolders, removeStack } from '../stack/folders';
import { runJest } from './jest';

jest.setTimeout(180_000);

describe('a run of jest', () => {
  let folders: StackFolders;
  let said: string[];

  beforeEach(() => {
    folders = openFolders(`jest-${process.pid}-${Date.now().toString(36)}`);
    said = [];
  });
  afterEach(() => removeStack(folders));

  /** Runs fixtures as `npm test` runs specs. */
  function run(fixtures: string, ...args: string[]) {
    return runJest({
      folders,
      stackFile: '',
      name: 'fixtures',
      args: ['--testMatch', `<rootDir>/tools/test/fixtures/${fixtures}.ts`, ...args],
      browser: {},
      workers: 2,
      endsWithinMs: 3_000,
      isQuiet: true,
      say: (sentence) => void said.push(sentence),
    });
  }

  it('counts tests and ends by itself when nothing is left open', async () => {
    expect(await run('leaves-nothing')).toEqual({ passed: 1, failed: 0, skipped: [] });
    expect(said).toEqual([]);
  });

  it('names the tests that a file skips, but not those that a pattern of names leaves out', async () => {
    const file = 'tools/test/fixtures/skips-one.ts';
    expect(await run('skips-one')).toEqual({ passed: 1, failed: 0, skipped: [`${file}: a file skips one`] });
    expect(await run('skips-one', '-t', 'runs one')).toEqual({ passed: 1, failed: 0, skipped: [] });
  });

  it('fails a file that leaves a handle open, names the handle, and is killed if it hangs', async () => {
    // The file, and the process that hangs.
    expect(await run('leaves-server-open')).toEqual({ passed: 1, failed: 2, skipped: [] });
    expect(said).toEqual([expect.stringMatching(/does not end; still open: server at 127\.0\.0\.1:\d+\. Close it/)]);
    const { testResults } = JSON.parse(fs.readFileSync(`${folders.root}/jest-fixtures.json`, 'utf8')) as {
      testResults: { message: string }[];
    };
    expect(testResults[0].message).toMatch(/leaves open .*1 TCPServerWrap.*server at 127\.0\.0\.1:\d+/);
    expect(testResults[0].message).toMatch(/Timeout/);
  });

  it('fails when a worker has to be ended by force', async () => {
    const { failed } = await run('{opens-timer-late,takes-a-moment}', '--workerGracefulExitTimeout=1000');
    expect(failed).toBe(1);
  });
});
