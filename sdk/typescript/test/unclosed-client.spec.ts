import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { DocumentedServer } from './documented-server';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const program = path.join(__dirname, 'partner-process.ts');

describe('a process that never closes its client', () => {
  let server: DocumentedServer;
  let url: string;

  beforeEach(async () => {
    server = new DocumentedServer();
    url = await server.listen();
  });
  afterEach(() => server.close());

  /** Runs the program until it ends by itself; rejects when it does not within a time. */
  async function ended(folder: string): Promise<void> {
    const child = spawn(process.execPath, ['-r', '@swc-node/register', program, url, folder], { stdio: 'inherit' });
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    clearTimeout(timer);
    expect([code, signal]).toEqual([0, null]);
  }

  it('sends what it has handed over, and ends', async () => {
    await ended(folderOf());
    expect([...server.accepted].sort()).toEqual(['a', 'b']);
  }, 30_000);

  it('sends it as long as it takes until Podium is back', async () => {
    server.behaviour = { refuse: () => (server.requests.length < 3 ? 'unavailable' : undefined) };
    await ended(folderOf());
    expect([...server.accepted].sort()).toEqual(['a', 'b']);
  }, 30_000);

  it('leaves what waits for a person, or for its user, to the next process', async () => {
    const folder = folderOf();
    server.behaviour = { refuse: () => 'user_not_linked' };
    await ended(folder);
    expect(server.requests.length).toBeGreaterThan(0);
    const before = server.requests.length;
    server.behaviour = { refuseAll: 'unauthorized' };
    await ended(folder);
    expect(server.requests.length).toBeGreaterThan(before);
    expect(server.accepted).toEqual(new Set());
    expect(fs.readdirSync(folder).some((name) => name.endsWith('.queue'))).toBe(true);
  }, 60_000);
});
