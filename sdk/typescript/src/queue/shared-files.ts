import * as fs from 'node:fs/promises';

/** A file for reading; undefined when another process has taken it, which then sends what is in it. */
export async function opened(path: string): Promise<fs.FileHandle | undefined> {
  return unlessTaken(fs.open(path, 'r'));
}

/** Renames a file; false when it is not there, because another process was faster. */
export async function renamed(from: string, to: string): Promise<boolean> {
  return (await unlessTaken(fs.rename(from, to).then(() => true))) ?? false;
}

async function unlessTaken<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
