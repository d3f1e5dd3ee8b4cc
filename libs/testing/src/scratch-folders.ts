import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes empty folders for a spec file, which are removed after its last test. Call it outside of tests. */
export function scratchFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'podium-spec-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'folder-'));
}
