import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { openFolders, removeStack, sharedFolder, StackFolders } from './folders';
import { readLock } from './session';

/**
 * Folders for a run that repeats an earlier one of the same name: what a failed one has kept is removed first, because servers
 * that start on its data would have its platforms and links. `hadKept` says whether there was anything.
 */
export function emptyFolders(name: string): { readonly folders: StackFolders; readonly hadKept: boolean } {
  const hadKept = fs.existsSync(path.join(sharedFolder, name));
  const kept = openFolders(name);
  const other = readLock(path.join(kept.root, 'running.json'));
  if (other)
    throw new StackFailure(
      `"${other.command}" runs already in ${kept.root} (process ${other.pid}): stop it with Ctrl-C there, or choose another --seed.`,
    );
  removeStack(kept);
  return { folders: openFolders(name), hadKept };
}
