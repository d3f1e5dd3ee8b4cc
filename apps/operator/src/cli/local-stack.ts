import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

/**
 * What a file of the running local stack says; null when no such stack runs. `STACK_NAME` names another than the first. The checkout is the working directory, as `npm run` has it; where a release runs there is none.
 */
export function readLocalStack(file: 'stack.json' | 'infra.json', env: NodeJS.ProcessEnv): unknown {
  const full = path.resolve('.stack', env.STACK_NAME ?? '', file);
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')) : null;
}
