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
  /** Links that the view did not have. */
  readonly newer: number;
}

/**
 * Stores changes of links in the view and link periods; erased links end now, Unix seconds. Where links are erased, the caller
 * excludes concurrent changes.
 */
export async function storeLinks(tx: Queryable, { erased, links }: LinkChanges, nowS: number): Promise<StoredLinks> {
  const erasedHolders = await eraseLinks(tx, erased, nowS);
  const isErased = await readErased(tx, links.map(linkRefOf));
  const live = (await readLiveLinks(tx, links)).filter(({ link }) => !isErased(linkRefOf(link)));
  const states = live.map(({ link }) => link);
  const holders = await readHolders(tx, states.map(accountOf));
  const locked = await lockUsers(tx, [...erasedHolders, ...holders, ...states.map(userOf)]);
  const newer = newestOf(live);
  const changed = await recordPeriods(tx, states);
  await upsertLinks(tx, newer);
  const concerned = new Set([...erasedHolders, ...newer.map(userOf), ...changed].map(userKeyText));
  return { users: [...concerned].map((key) => locked.get(key)!), newer: newer.length };
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
