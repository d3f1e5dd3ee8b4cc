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

/** A path to a folder that is short enough for a socket: its own, or that of a symbolic link. */
function shortPathTo(folder: string): { readonly path: string; readonly remove: () => void } {
  if (Buffer.byteLength(folder) <= longestFolderPath) return { path: folder, remove: () => undefined };
  const links = fs.mkdtempSync(path.join(tmpdir(), 'podium-'));
  const link = path.join(links, 'f');
  fs.symlinkSync(folder, link);
  return { path: link, remove: () => fs.rmSync(links, { recursive: true, force: true }) };
}
