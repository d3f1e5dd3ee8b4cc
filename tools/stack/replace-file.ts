import * as fs from 'node:fs';

/**
 * Writes a file as a whole: a full disk or a power cut leaves the old content or the new one, never a part of it.
 */
export function replaceFile(file: string, content: string, mode = 0o666): void {
  const draft = `${file}.${process.pid}`;
  fs.rmSync(draft, { force: true });
  try {
    fs.writeFileSync(draft, content, { mode, flush: true });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}
