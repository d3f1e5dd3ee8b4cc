import { ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { emptyFolders } from './empty-folders';
import { openFolders, removeStack, StackFolders } from './folders';

describe('emptyFolders', () => {
  const name = `empty-${process.pid}`;
  let folders: StackFolders;
  let other: ChildProcess | undefined;

  beforeEach(() => (folders = openFolders(name)));
  afterEach(() => {
    other?.kill('SIGKILL');
    removeStack(folders);
  });

  it('removes what a run of the same name has kept', () => {
    const left = ['data/kafka-1/meta.properties', 'data/partner/fire-python.ids', 'secrets.json', 'logs/gateway.log'];
    const files = [...left.map((file) => path.join(folders.root, file)), path.join(folders.postgresData, 'PG_VERSION')];
    for (const file of files) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, 'of the run before');
    }
    expect(emptyFolders(name)).toEqual({ folders, hadKept: true });
    expect(files.filter((file) => fs.existsSync(file))).toEqual([]);
    expect([folders.data, folders.logs].every((folder) => fs.existsSync(folder))).toBe(true);
  });

  it('says that there was nothing', () => {
    removeStack(folders);
    expect(emptyFolders(name).hadKept).toBe(false);
  });

  it('removes nothing while a command runs there', () => {
    // A stack in use is recognized by its process id and its command line.
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'launch.mjs'], { stdio: 'ignore' });
    const data = path.join(folders.data, 'kafka-1');
    fs.mkdirSync(data);
    fs.writeFileSync(
      path.join(folders.root, 'running.json'),
      JSON.stringify({ pid: other.pid, command: 'npm run faults' }),
    );
    expect(() => emptyFolders(name)).toThrow(/"npm run faults" runs already in .* or choose another --seed/);
    expect(fs.existsSync(data)).toBe(true);
  });
});
