import { Queryable } from '@podium/runtime/postgres';
import { LinkRef, readErased } from '../erasures/erasures.store';
import { LockedUser, UserKey, lockUsers, userKeyText } from '../users/users.store';
import { LinkChanges } from './link-changes';
import { AccountRef, LinkRevision, LiveLink, eraseLinks, readHolders, readLiveLinks, upsertLinks } from './links.store';
import { recordPeriods } from './period-records.store';

/** The effect of changes on the view. */
export interface StoredLinks {
  /** Users whose links changed, locked. */
  readonly users: readonly LockedUser[];
  /** Rows of those of them whose accounts were erased, and who have no other change: their own erasure is on its way. */
  readonly erased: ReadonlySet<number>;
  /** Links that the view did not have. */
  readonly newer: number;
}

/** Stores changes of links in the view and link periods. Where links are erased, the caller excludes concurrent changes. */
export async function storeLinks(tx: Queryable, { erased, links }: LinkChanges): Promise<StoredLinks> {
  const erasedHolders = await eraseLinks(tx, erased);
  const isErased = await readErased(tx, links.map(linkRefOf));
  const live = (await readLiveLinks(tx, links)).filter(({ link }) => !isErased(linkRefOf(link)));
  const states = live.map(({ link }) => link);
  const holders = await readHolders(tx, states.map(accountOf));
  const locked = await lockUsers(tx, [...erasedHolders, ...holders, ...states.map(userOf)]);
  const newer = newestOf(live);
  const changed = await recordPeriods(tx, states);
  await upsertLinks(tx, newer);
  const linked = new Set([...newer.map(userOf), ...changed].map(userKeyText));
  const gone = new Set(erasedHolders.map(userKeyText).filter((key) => !linked.has(key)));
  const rowsOf = (keys: Iterable<string>): LockedUser[] => [...keys].map((key) => locked.get(key)!);
  return {
    users: rowsOf([...gone, ...linked]),
    erased: new Set(rowsOf(gone).map(({ userRef }) => userRef)),
    newer: newer.length,
  };
}

/** Of each account the newest state, if the view has none as new. */
function newestOf(live: readonly LiveLink[]): LinkRevision[] {
  const newest = new Map<string, LinkRevision>();
  for (const { link, isNewer } of live) {
    const key = JSON.stringify([link.data.platform, link.data.platform_user_id]);
    if (isNewer && link.revision > (newest.get(key)?.revision ?? -1)) newest.set(key, link);
  }
  return [...newest.values()];
}

function userOf({ data }: LinkRevision): UserKey {
  return { platform: data.platform, userId: data.user_id };
}

function accountOf({ data }: LinkRevision): AccountRef {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}

function linkRefOf({ data }: LinkRevision): LinkRef {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}
