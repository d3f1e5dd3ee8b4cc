import { TaskProgressData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ToldTask } from '../../shown-progress/told-progress';
import { readTold, writeTold } from '../../shown-progress/told-progress.store';
import { UserKey, userKeyText } from '../../users/users.store';
import { lockExistingUsers } from './restored-progress.store';

/** A record of progress as it was published. */
export interface PublishedProgress {
  readonly revision: number;
  readonly data: TaskProgressData;
}

/**
 * Sets what was told of users to published records that are newer, so that only differences from them are published again.
 * Users whom the database does not have yet, and records from before an erasure, are left out. Returns how many users changed.
 */
export async function takeToldProgress(tx: Queryable, published: readonly PublishedProgress[]): Promise<number> {
  if (published.length === 0) return 0;
  const users = await lockExistingUsers(tx, [
    ...new Map(published.map(({ data }) => [userKeyText(keyOf(data)), keyOf(data)])).values(),
  ]);
  const known = await readTold(
    tx,
    users.map(({ userRef }) => userRef),
  );
  const stored = new Set(known.keys());
  const byKey = new Map(users.map((user) => [userKeyText(user), user]));
  const changed = new Set<number>();
  for (const { revision, data } of published.toSorted((a, b) => a.revision - b.revision)) {
    const user = byKey.get(userKeyText(keyOf(data)));
    if (!user || data.shown_at < (user.erasedAt ?? 0)) continue;
    const { userRef } = user;
    const before = known.get(userRef) ?? {
      revision: 0,
      isStale: false,
      tasks: new Map<string, ToldTask>(),
      link: null,
    };
    if (revision <= before.revision) continue;
    for (const { task_id, series, value, target, reached } of data.tasks)
      // When it was reached is in no record: at the latest when it was shown.
      before.tasks.set(task_id, { series, value, target, reachedAt: reached ? data.shown_at : null });
    // Which link that was is not known.
    known.set(userRef, { ...before, revision, link: null });
    changed.add(userRef);
  }
  await writeTold(
    tx,
    [...changed].map((userRef) => ({ userRef, ...known.get(userRef)! })),
    stored,
  );
  return changed.size;
}

function keyOf({ platform, user_id: userId }: TaskProgressData): UserKey {
  return { platform, userId };
}
