import { BatchPlace } from '@podium/runtime/consumers';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { holdEpochAlone } from '../definitions/epoch.store';
import { LinkedThing, readErased } from '../erasures/erasures.store';
import { movePosition } from '../inbox/positions.store';
import { LockedUser, UserKey, lockUsers } from '../inbox/users.store';
import { Matter, Settlement, settle } from '../settle';
import { Account, ErasedAccount, LinkState, eraseLinks, readHolders, readNewerLinks, upsertLinks } from './links.store';

/** What records of links come to: accounts whose link was erased, and newest states, at most one of each per account. */
export interface LinkChanges {
  readonly erased: readonly ErasedAccount[];
  readonly links: readonly LinkState[];
}

/**
 * Takes links over into the view and looks at all segments of the users whose links changed, in the transaction of the
 * position: an unlink leaves them, a relink enters those that hold. Older revisions change nothing, whatever comes first. What
 * a record says of a link from before its user's erasure, which it may come after, is passed over.
 */
export async function applyLinks(parts: ApplyParts, batch: LinkChanges & BatchPlace): Promise<Settlement> {
  return inTransaction(parts.pool, async (tx) => {
    // An older record of the account that another partition brings at this moment must find the erasure.
    if (batch.erased.length > 0) await holdEpochAlone(tx);
    const definitions = await parts.definitions.current(tx);
    await parts.erasureGate?.check(tx);
    await movePosition(tx, batch);
    const { users } = await takeLinks(tx, batch);
    const matters = users.flatMap((user) =>
      definitions.segmentsOf(user.platform).map((definition): Matter => ({ user, definition, reason: 'link' })),
    );
    return settle(tx, matters, parts.now());
  });
}

/** What was taken over into the view. */
export interface TakenLinks {
  /** Whose links changed; locked. */
  readonly users: readonly LockedUser[];
  /** Links that the view did not have. */
  readonly newer: number;
}

/** Brings the view to what records say; the caller sees to it that nobody else does at the same time where links are erased. */
export async function takeLinks(tx: Queryable, { erased, links }: LinkChanges): Promise<TakenLinks> {
  const erasedHolders = await readHolders(tx, erased);
  await eraseLinks(tx, erased);
  const isErased = await readErased(tx, links.map(linkedThingOf));
  const newer = (await readNewerLinks(tx, links)).filter((link) => !isErased(linkedThingOf(link)));
  const before = [...erasedHolders, ...(await readHolders(tx, newer.map(accountOf)))];
  const after = newer.map(({ data }): UserKey => ({ platform: data.platform, userId: data.user_id }));
  const users = await lockUsers(tx, [...before, ...after]);
  await upsertLinks(tx, newer);
  return { users: [...users.values()], newer: newer.length };
}

function accountOf({ data }: LinkState): Account {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}

function linkedThingOf({ data }: LinkState): LinkedThing {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}
