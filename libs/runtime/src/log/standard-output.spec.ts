import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StandardOutput } from './standard-output';

const onLinux = process.platform === 'linux' ? it : it.skip;

/** Logs an info and a fatal line, and ends after a moment. */
const program = `
  const { createLog } = require('./libs/runtime/src/log');
  const log = createLog({ service: 'spec', instance: 'spec-1', level: 'info' });
  log.info('begun');
  setTimeout(() => log.fatal('failed'), 50);
  setTimeout(() => process.stderr.write('went on'), 200);
`;

describe('standard output', () => {
  onLinux(
    'on a full disk neither ends the process nor lets it hang',
    async () => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, ['-r', '@swc-node/register', '-e', program], {
        cwd: join(__dirname, '../../../..'),
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      let errors = '';
      child.stderr!.on('data', (piece: Buffer) => (errors += piece.toString()));
      const hung = setTimeout(() => child.kill('SIGKILL'), 30_000);
      const [code] = (await once(child, 'close')) as [number | null];
      clearTimeout(hung);
      expect([code, errors]).toEqual([0, 'went on']);
    },
    40_000,
  );

  onLinux('loses lines while a pipe is full, and says how many when it has space', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pipe-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    const lost: number[] = [];
    const output = new StandardOutput((lines) => lost.push(lines), pipe);
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 2_000; count++) output.write(line);
    output.flushSync();
    const piece = Buffer.alloc(1024 * 1024);
    const read = readSync(pipe, piece);
    output.write('the last\n');
    output.flushSync();
    const rest = piece.subarray(0, readSync(pipe, piece)).toString();
    // The write that was in progress is over.
    await sleep(200);
    closeSync(pipe);
    rmSync(folder, { recursive: true });
    expect(rest).toMatch(/the last\n$/);
    expect(lost).toHaveLength(1);
    expect(Math.abs(lost[0] - (2_000 - read / line.length))).toBeLessThan(3);
  });

  it('has one listener for the end of the process, however many logs there are', () => {
    const before = process.listenerCount('exit');
    for (let count = 0; count < 12; count++) new StandardOutput(() => undefined, 2);
    expect(process.listenerCount('exit') - before).toBeLessThanOrEqual(1);
  });
});
