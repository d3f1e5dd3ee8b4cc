import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** A new folder for each test of a file; all are removed after the last one. */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => made.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));
  return () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-'));
    made.push(folder);
    return folder;
  };
}
