import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';

jest.setTimeout(60_000);

const main = path.join(__dirname, 'main.ts');
const env = { PATH: process.env.PATH, STACK_NAME: 'not-running' };

function start(args: readonly string[], stdout: number | 'ignore' | 'pipe', stderr: number | 'pipe'): ChildProcess {
  const program = spawn(process.execPath, ['-r', '@swc-node/register', ...args], {
    env,
    stdio: ['ignore', stdout, stderr],
  });
  for (const descriptor of [stdout, stderr]) if (typeof descriptor === 'number') fs.closeSync(descriptor);
  return program;
}

/** A device on which every write fails; the system has it, or there is nothing to test. */
const fullDevice = '/dev/full';
const onFullDevice = fs.existsSync(fullDevice) ? it : it.skip;

describe('the reader of standard error', () => {
  it('may close it: the exit code is that of the command', async () => {
    const program = start([main, 'lag'], 'ignore', 'pipe');
    program.stderr!.destroy();
    expect(await once(program, 'exit')).toEqual([2, null]);
  });

  onFullDevice('may be a full disk: the exit code is that of the command', async () => {
    const program = start([main, 'lag'], 'ignore', fs.openSync(fullDevice, 'w'));
    expect(await once(program, 'exit')).toEqual([2, null]);
  });
});

describe('the reader of standard output', () => {
  it('may close it: a command that has not ended does not end as if it were done', async () => {
    const command = `
      const file = require.resolve(${JSON.stringify(path.join(__dirname, 'podium'))});
      const runPodium = async (args, { out }) => {
        for (;;) {
          out('a line of many\\n');
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      };
      require.cache[file] = { id: file, filename: file, loaded: true, exports: { runPodium } };
      require(${JSON.stringify(path.join(__dirname, 'operate'))}).operate(['lag'], {});`;
    const program = start(['-e', command], 'pipe', 'pipe');
    await once(program.stdout!, 'data');
    program.stdout!.destroy();
    expect(await once(program, 'exit')).toEqual([141, null]);
    expect(await text(program.stderr!)).toBe('');
  });

  onFullDevice('may be a full disk: an error says so in one line', async () => {
    const program = start([main, '--help'], fs.openSync(fullDevice, 'w'), 'pipe');
    const [error, exit] = await Promise.all([text(program.stderr!), once(program, 'exit')]);
    expect(exit).toEqual([1, null]);
    expect(error).toMatch(/^The output could not be written: ENOSPC.*\n$/);
  });
});
