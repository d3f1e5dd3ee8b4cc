import { topics } from '@podium/messages';
import { isTopicPublished } from '@podium/runtime/outbox';
import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { settleMatters } from '../applying/matters';
import { Matter, Settlement, nothingSettled } from '../applying/settle';
import { UsersAside, inRoundOfUsers } from './users-aside';
import { endStale, lockStaleUsers } from '../shown-progress/told-progress.store';

/** The result of one round. */
export interface ToldRound extends Settlement {
  readonly users: number;
}

/**
 * Evaluates the tasks of at most `mostUsers` users whose changes could not be told, because a relay of the release before led, or
 * none, and tells of them. Until then such a user's told progress is not what events go on from (`readContinued`). Instances
 * share the work; a user for whom it fails repeatedly in a round of its own is set aside.
 */
export async function tellStaleProgress(
  parts: ApplyParts,
  mostUsers: number,
  aside = new UsersAside(),
): Promise<ToldRound> {
  return inRoundOfUsers(aside, (begin) =>
    inTransaction(parts.pool, async (tx) => {
      begin([]);
      const definitions = await parts.definitions.currentForSlowWork(tx);
      const nothing = { users: 0, ...nothingSettled };
      if (definitions.isRebuilding || !(await isTopicPublished(tx, 'engagement', topics.taskProgress))) return nothing;
      const users = await lockStaleUsers(tx, mostUsers, aside.list());
      if (users.length === 0) return nothing;
      const userRefs = users.map(({ userRef }) => userRef);
      begin(userRefs);
      // First: what cannot be told now is marked again.
      await endStale(tx, userRefs);
      const matters = users.flatMap((user) =>
        definitions
          .ofPlatform(user.platform)
          .filter(({ kind }) => kind === 'task')
          .map((definition): Matter => ({ user, definition, reason: 'definition' })),
      );
      const settlement = await settleMatters(tx, matters, {
        ...{ definitions, nowMs: parts.now(), linksPassedS: parts.linkProgress?.passedS() },
        isDivisible: users.length > 1,
      });
      return { users: users.length, ...settlement };
    }),
  );
}
