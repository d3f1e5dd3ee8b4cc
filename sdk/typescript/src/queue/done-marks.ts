import * as fs from 'node:fs/promises';

/** The file of marks of a segment: the offsets of its records that are done. */
export function marksPathOf(segmentPath: string): string {
  return segmentPath.replace(/\.queue$/, '.done');
}

/** The offsets that are marked; none when there is no file. Rejects for a file that could not be written on, too. */
export async function readMarks(path: string): Promise<Set<number>> {
  const text = await fs.readFile(path, { encoding: 'utf8', flag: 'r+' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return new Set(Array.from(text.matchAll(/^(\d+);$/gm), ([, offset]) => Number(offset)));
}

/**
 * Marks offsets. A full disk, and the end of a process, cut a mark anywhere. A mark has an end of its own, and the next ones
 * begin a line, so that what was cut is no other offset, alone or together with them.
 */
export async function appendMarks(path: string, offsets: readonly number[]): Promise<void> {
  await fs.appendFile(path, `\n${offsets.map((offset) => `${offset};\n`).join('')}`, { mode: 0o600 });
}
