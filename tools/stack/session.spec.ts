import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { scratchFolders } from '@podium/testing';

const scratchFolder = scratchFolders();

/** Runs a command in a folder, which prints the files that it finds there. */
function run(root: string): { status: number | null; files: string[] } {
  const program = `
    const { Session } = require(${JSON.stringify(path.join(__dirname, 'session'))});
    const root = ${JSON.stringify(root)};
    Session.run('npm run stack', { root }, async () => (console.log(require('fs').readdirSync(root).join()), 0));`;
  const { status, stdout } = spawnSync(process.execPath, ['-r', '@swc-node/register', '-e', program], {
    encoding: 'utf8',
  });
  return { status, files: stdout.trim().split(',') };
}

describe('a command in the folder of a run that was killed', () => {
  it('finds no addresses of that run, which commands would take for its own', () => {
    const root = scratchFolder();
    // No process has this id: it is above the highest that systems give.
    fs.writeFileSync(path.join(root, 'running.json'), JSON.stringify({ pid: 2 ** 30, command: 'npm start' }));
    for (const file of ['stack.json', 'infra.json', 'secrets.json']) fs.writeFileSync(path.join(root, file), '{}');
    expect(run(root)).toEqual({ status: 0, files: ['running.json', 'secrets.json'] });
    expect(fs.readdirSync(root)).toEqual(['secrets.json']);
  }, 30_000);
});

describe('commands that start at the same moment in one folder', () => {
  /** Starts a command at a time, Unix ms; it runs until its input ends. */
  function startAt(root: string, startMs: number): ChildProcess {
    const program = `
      const { Session } = require(${JSON.stringify(path.join(__dirname, 'session'))});
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${startMs} - Date.now());
      Session.run('npm run stack', { root: ${JSON.stringify(root)} }, async () => {
        console.log('runs');
        for await (const _ of process.stdin);
        return 0;
      });`;
    // The last argument makes it a command of this repository to others.
    const args = ['-r', '@swc-node/register', '-e', program, 'launch.mjs'];
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  }

  it.each([
    ['without a file', undefined],
    ['with the file of a run that was killed', JSON.stringify({ pid: 2 ** 30, command: 'npm start' })],
  ])(
    'are one that runs, and others that are refused, %s',
    async (_case, left) => {
      const root = scratchFolder();
      if (left !== undefined) fs.writeFileSync(path.join(root, 'running.json'), left);
      const startMs = Date.now() + 3_000;
      const children = Array.from({ length: 3 }, () => startAt(root, startMs));
      const exits = children.map((child) => once(child, 'exit'));
      await Promise.all(children.map((child, at) => Promise.race([once(child.stdout!, 'data'), exits[at]])));
      for (const { stdin } of children) stdin!.on('error', () => undefined).end();
      const codes = (await Promise.all(exits)).map(([code]) => code as number);
      expect(codes.sort()).toEqual([0, 1, 1]);
      expect(fs.readdirSync(root)).toEqual([]);
    },
    60_000,
  );
});
