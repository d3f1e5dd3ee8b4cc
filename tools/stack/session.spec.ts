import { spawnSync } from 'node:child_process';
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
