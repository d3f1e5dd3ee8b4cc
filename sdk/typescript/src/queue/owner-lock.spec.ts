import * as fs from 'node:fs/promises';
import type { Server } from 'node:net';
import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import { temporaryFolders } from '../../test/temporary-folder';
import { OwnerLock, isAlive } from './owner-lock';

/** Connects to each socket that it sees, for as long as it may; its messages are those that refused. */
const search = `
const { parentPort, workerData } = require('node:worker_threads');
const { readdirSync } = require('node:fs');
const net = require('node:net');
const seen = new Set();
let isStopped = false;
parentPort.on('message', () => { isStopped = true; });
function look() {
  const files = readdirSync(workerData).filter((file) => file.endsWith('.sock') && !seen.has(file));
  for (const file of files) {
    seen.add(file);
    net.connect(workerData + '/' + file)
      .on('connect', function () { this.destroy(); })
      .on('error', ({ code }) => { if (code === 'ECONNREFUSED') parentPort.postMessage(file); });
  }
  if (isStopped) process.exit(0);
  setImmediate(look);
}
look();
`;

const folderOf = temporaryFolders();

describe('the lock of an owner', () => {
  it('is never seen with a socket that refuses', async () => {
    const folder = folderOf();
    const refused: string[] = [];
    const worker = new Worker(search, { eval: true, workerData: folder });
    worker.on('message', (file: string) => refused.push(file));
    await new Promise((resolve) => worker.once('online', resolve));
    for (let count = 0; count < 3_000; count++) {
      const lock = await OwnerLock.acquire(folder);
      if (!(await isAlive(folder, lock.owner))) refused.push(lock.owner);
      await lock.release();
    }
    worker.postMessage('stop');
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(refused).toEqual([]);
    expect(await fs.readdir(folder)).toEqual([]);
  });

  it('is that of an ended process when it ends before it has accepted who asks', async () => {
    const folder = folderOf();
    const lock = await OwnerLock.acquire(folder);
    const asked = isAlive(folder, lock.owner);
    (lock as unknown as { server: Server }).server.close();
    expect(await asked).toBe(false);
  });

  it('takes a folder with a path of 80 bytes', async () => {
    const base = folderOf();
    const folder = path.join(base, 'x'.repeat(80 - Buffer.byteLength(base) - 1));
    await fs.mkdir(folder);
    const lock = await OwnerLock.acquire(folder);
    expect(await isAlive(folder, lock.owner)).toBe(true);
    await lock.release();
  });

  it('names a folder that takes no sockets, as those of some shared disks', async () => {
    // Nobody can make files there.
    const error: unknown = await OwnerLock.acquire('/proc').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'EACCES',
      message: expect.stringMatching(/^The queue's folder \/proc cannot be used: .*on a local disk/) as string,
    });
  });
});
