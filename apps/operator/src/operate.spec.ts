import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';

jest.setTimeout(60_000);

describe('the reader of standard error', () => {
  it('may close it: the exit code is that of the command', async () => {
    const args = ['-r', '@swc-node/register', path.join(__dirname, 'main.ts'), 'lag'];
    const program = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, STACK_NAME: 'not-running' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    program.stderr.destroy();
    expect(await once(program, 'exit')).toEqual([2, null]);
  });
});
