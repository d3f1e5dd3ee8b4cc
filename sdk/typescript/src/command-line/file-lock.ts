import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { OwnerLock, isAlive, ownerOfLock, removeLock } from '../queue/owner-lock';

/** Bytes of a folder's path below which the socket of a lock has a path that every Unix system takes. */
const longestFolderPath = 80;

/**
 * Runs work as the only process that uses a folder; returns undefined without running it when another process does. The kernel
 * ends a lock with its process, however that ends. Of two processes that start at once both may be refused, never none.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T | undefined> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const short = shortPathTo(folder);
  try {
    // The own lock comes before the look at others: of two processes at least one sees the other.
    const lock = await OwnerLock.acquire(short.path);
    try {
      for (const file of fs.readdirSync(folder)) {
        const owner = ownerOfLock(file);
        if (owner === undefined || owner === lock.owner) continue;
        if (await isAlive(short.path, owner)) return undefined;
        await removeLock(short.path, owner);
      }
      return await work();
    } finally {
      await lock.release();
    }
  } finally {
    short.remove();
  }
}

/**
 * Runs work as the only process of this user that writes a file; returns undefined as `withFolderLock`. The lock is in the folder
 * for temporary files: nothing is left beside the file, whose file system may have no sockets.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T | undefined> {
  const folder = lockFolderOf(realPathOf(file));
  let hasBegun = false;
  try {
    return await withFolderLock(folder, () => {
      hasBegun = true;
      return work();
    });
  } catch (error) {
    // The process that had the lock before may remove the folder at the moment at which it is used here.
    if (hasBegun || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return await withFileLock(file, work);
  } finally {
    removeEmpty(folder);
  }
}

/** Of the lock of a file: beside it where temporary files cannot be written, as in a container whose file system is read-only. */
function lockFolderOf(file: string): string {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 16);
  const base = isWritable(tmpdir()) ? tmpdir() : path.dirname(file);
  return path.join(base, `podium-${process.getuid?.() ?? ''}-${digest}`);
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a file, which may not exist yet, by whatever path its folder is named. */
function realPathOf(file: string): string {
  const absolute = path.resolve(file);
  const folder = path.dirname(absolute);
  return path.join(fs.existsSync(folder) ? fs.realpathSync(folder) : folder, path.basename(absolute));
}

/** Removes a folder unless it has the lock of another process. */
function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // The last one removes it.
  }
}

/** A path to a folder that is short enough for a socket: its own, or that of a symbolic link. */
function shortPathTo(folder: string): { readonly path: string; readonly remove: () => void } {
  if (Buffer.byteLength(folder) <= longestFolderPath) return { path: folder, remove: () => undefined };
  const links = fs.mkdtempSync(path.join(tmpdir(), 'podium-'));
  const link = path.join(links, 'f');
  fs.symlinkSync(folder, link);
  return { path: link, remove: () => fs.rmSync(links, { recursive: true, force: true }) };
}
