import { setTimeout as sleep } from 'node:timers/promises';
import { Queryable } from '@podium/runtime/postgres';
import { tryLock } from './schema-roles.store';

/** Polls: waiting inside a statement would block a concurrent index build forever. `onWait` is called once, when it has to wait. */
export async function takeLock(session: Queryable, onWait: () => void, pauseMs = 200): Promise<void> {
  if (await tryLock(session)) return;
  onWait();
  do await sleep(pauseMs);
  while (!(await tryLock(session)));
}
