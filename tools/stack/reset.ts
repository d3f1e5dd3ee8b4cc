import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { removeEverything, sharedFolder } from './folders';
import { readLock } from './session';

/** `npm run stack:reset`: removes all data, logs, secrets and downloads of the local stacks of this checkout. */
export function reset(): void {
  if (!fs.existsSync(sharedFolder)) {
    console.log('There is nothing to remove.');
    return;
  }
  for (const folder of [sharedFolder, ...fs.readdirSync(sharedFolder).map((name) => path.join(sharedFolder, name))]) {
    const other = readLock(path.join(folder, 'running.json'));
    if (other)
      throw new StackFailure(
        `"${other.command}" still runs (process ${other.pid}): stop it with Ctrl-C before the reset.`,
      );
  }
  removeEverything();
  console.log('Removed the data, logs, secrets and downloads of the local stack.');
}
