import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';

jest.setTimeout(60_000);

const command = `
  process.stderr.isTTY = true;
  const { progressBar } = require(${JSON.stringify(path.join(__dirname, 'progress-bar'))});
  const bar = progressBar('{value} of {total}');
  bar.start(10, 0);
  bar.update(5);
  setInterval(() => undefined, 1_000);`;

describe('a progress bar on a terminal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'shows the cursor and wraps lines again when %s ends the command',
    async (signal) => {
      const program = spawn(process.execPath, ['-r', '@swc-node/register', '-e', command], {
        env: { PATH: process.env.PATH },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let shown = '';
      const begun = new Promise<void>((resolve) => {
        program.stderr.on('data', (part: Buffer) => {
          shown += part.toString();
          if (shown.includes('5 of 10')) resolve();
        });
      });
      const ended = once(program, 'close');
      await begun;
      expect(shown).toContain('\u001b[?25l');
      program.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(shown.lastIndexOf('\u001b[?25h')).toBeGreaterThan(shown.lastIndexOf('\u001b[?25l'));
      expect(shown.lastIndexOf('\u001b[?7h')).toBeGreaterThan(shown.lastIndexOf('\u001b[?7l'));
    },
  );
});
