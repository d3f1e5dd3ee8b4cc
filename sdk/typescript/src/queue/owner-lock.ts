import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as net from 'node:net';
import * as path from 'node:path';

/** Bytes of a socket's path that every Unix system takes. */
const longestSocketPath = 103;

/**
 * A process as an owner of segments. It listens on a socket next to them: the kernel closes the socket when the process
 * ends, however it ends, so that no time-out and no process id decides whether an owner is alive.
 */
export class OwnerLock {
  private constructor(
    readonly owner: string,
    private readonly folder: string,
    private readonly server: net.Server,
  ) {}

  /** Becomes an owner in a folder, with a name that was never used before. */
  static async acquire(folder: string): Promise<OwnerLock> {
    const owner = randomBytes(8).toString('hex');
    const socket = lockPathOf(folder, owner);
    if (Buffer.byteLength(socket) > longestSocketPath)
      throw new RangeError(
        `The queue's folder needs a shorter path: ${socket} is longer than ${longestSocketPath} bytes.`,
      );
    const server = net.createServer((connection) => connection.destroy());
    const pending = path.join(folder, `${owner}.new`);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(pending, resolve)).catch(
      (cause: NodeJS.ErrnoException) => {
        // The call that failed alone would say nothing to those who gave a folder.
        const message = `The queue's folder ${folder} cannot be used: ${cause.message}. It must be writable, and on a local disk, which takes Unix sockets.`;
        throw Object.assign(new Error(message, { cause }), { code: cause.code });
      },
    );
    // A socket refuses connections until it listens: under its final name it would be that of an ended process.
    await fs.rename(pending, socket).catch((error: unknown) => {
      server.close();
      throw error;
    });
    // The queue alone does not keep a process running.
    server.unref();
    return new OwnerLock(owner, folder, server);
  }

  /** Stops being an owner; the socket is removed with it. */
  async release(): Promise<void> {
    await removeLock(this.folder, this.owner);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Whether the process of an owner runs; rejects when its socket does not tell, such as that of another user. */
export async function isAlive(folder: string, owner: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(lockPathOf(folder, owner));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // Reset when the owner ends before it has accepted this connection.
      if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(error.code ?? '')) resolve(false);
      // Too many others ask it at this moment.
      else if (error.code === 'EAGAIN') resolve(true);
      else reject(error);
    });
  });
}

/** Removes what a dead owner's lock leaves. */
export async function removeLock(folder: string, owner: string): Promise<void> {
  await fs.rm(lockPathOf(folder, owner), { force: true });
}

/** The owner whose lock a file is. */
export function ownerOfLock(file: string): string | undefined {
  return /^([0-9a-f]{16})\.sock$/.exec(file)?.[1];
}

/** Whether a folder's path is short enough for the lock of an owner. */
export function isLockable(folder: string): boolean {
  return Buffer.byteLength(lockPathOf(folder, '0'.repeat(16))) <= longestSocketPath;
}

/** The file of an owner's lock. */
export function lockPathOf(folder: string, owner: string): string {
  return path.join(folder, `${owner}.sock`);
}
