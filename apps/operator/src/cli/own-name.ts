import { userInfo } from 'node:os';
import { UsageError } from './usage-error';

/**
 * Who gave a command: `--by`, else the user of this process; throws `UsageError` for a user without a name, as in a container, and
 * for a `--by` without one, as of a variable that is not set.
 */
export function ownName({ by }: { readonly by?: string }): string {
  if (by?.trim() === '') throw new UsageError('--by must be a name.');
  if (by !== undefined) return by;
  try {
    return userInfo().username;
  } catch {
    throw new UsageError('The user of this process has no name here: give yours by --by.');
  }
}
