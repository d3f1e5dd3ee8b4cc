import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../applying/apply-parts';
import { Matter, Settlement, settle } from '../applying/settle';
import { holdEpochAlone } from '../definitions/epoch.store';
import { LinkRef, readErased } from '../erasures/erasures.store';
import { positionsTable } from '../inbox/positions-table';
import { LockedUser, UserKey, lockUsers } from '../users/users.store';
import {
  AccountRef,
  ErasedAccount,
  LinkRevision,
  eraseLinks,
  readHolders,
  readNewerLinks,
  upsertLinks,
} from './links.store';

/** Changes of links: accounts whose link was erased, and newest states, at most one of each per account. */
export interface LinkChanges {
  readonly erased: readonly ErasedAccount[];
  readonly links: readonly LinkRevision[];
}

/**
 * Stores changes of links in the view and evaluates all segments of the users concerned, in one transaction with the position:
 * an unlinked user leaves them, a relinked user enters those whose condition holds. Older revisions, and links from before
 * their user's erasure, change nothing in any order of arrival.
 */
export async function applyLinks(parts: ApplyParts, batch: LinkChanges & BatchPlace): Promise<Settlement> {
  return inTransaction(parts.pool, async (tx) => {
    // A concurrent batch of another partition may carry an older record of the account: it must see the erasure.
    if (batch.erased.length > 0) await holdEpochAlone(tx);
    const definitions = await parts.definitions.current(tx);
    await parts.erasureGate?.check(tx);
    await movePosition(tx, positionsTable, batch);
    const { users } = await storeLinks(tx, batch);
    const matters = users.flatMap((user) =>
      definitions.segmentsOf(user.platform).map((definition): Matter => ({ user, definition, reason: 'link' })),
    );
    return settle(tx, matters, parts.now());
  });
}

/** The effect of changes on the view. */
export interface StoredLinks {
  /** Users whose links changed, locked. */
  readonly users: readonly LockedUser[];
  /** Links that the view did not have. */
  readonly newer: number;
}

/** Stores changes of links in the view. Where links are erased, the caller excludes concurrent changes. */
export async function storeLinks(tx: Queryable, { erased, links }: LinkChanges): Promise<StoredLinks> {
  const erasedHolders = await readHolders(tx, erased);
  await eraseLinks(tx, erased);
  const isErased = await readErased(tx, links.map(linkRefOf));
  const newer = (await readNewerLinks(tx, links)).filter((link) => !isErased(linkRefOf(link)));
  const before = [...erasedHolders, ...(await readHolders(tx, newer.map(accountOf)))];
  const after = newer.map(({ data }): UserKey => ({ platform: data.platform, userId: data.user_id }));
  const users = await lockUsers(tx, [...before, ...after]);
  await upsertLinks(tx, newer);
  return { users: [...users.values()], newer: newer.length };
}

function accountOf({ data }: LinkRevision): AccountRef {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}

function linkRefOf({ data }: LinkRevision): LinkRef {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}
