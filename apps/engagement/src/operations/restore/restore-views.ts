import { SegmentMembershipData } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { LinkRef, readErased } from '../../erasures/erasures.store';
import { UserKey, lockUsers, userKeyText } from '../../users/users.store';
import { LinkChanges } from '../../link-view/link-changes';
import { storeLinks } from '../../link-view/store-links';
import { membershipRecord, membershipTombstone } from '../../memberships/membership-record';
import { Membership } from '../../memberships/memberships.store';
import { lockExistingUsers } from './restored-progress.store';
import { makeSegmentsDue, readKnownDefinitions, writePublishedMemberships } from './restored-views.store';

/**
 * Stores the newest states of links in the view and their periods, and makes the segments of the users concerned due. Returns
 * how many links the view did not have. Earlier periods follow when the consumer re-reads the topic from the restored position.
 */
export async function takeLinkStates(tx: Queryable, changes: LinkChanges, nowMs: number): Promise<number> {
  const nowS = Math.floor(nowMs / 1000);
  const { users, newer } = await storeLinks(tx, changes, nowS);
  await makeSegmentsDue(
    tx,
    users.map(({ userRef }) => userRef),
    nowS,
  );
  return newer;
}

/** The effect of published memberships on the table. */
export interface TakenMemberships {
  readonly written: number;
  /** Memberships of segments that the database does not have: their members leave. */
  readonly left: number;
}

/**
 * Sets memberships to their published state and makes the segments of the users concerned due, so that only differences are
 * published. Members of segments that no longer exist leave.
 */
export async function takeMemberships(
  tx: Queryable,
  published: readonly SegmentMembershipData[],
  nowMs: number,
): Promise<TakenMemberships> {
  const nowS = Math.floor(nowMs / 1000);
  const { users, known, memberships } = await resolve(tx, published);
  const refs = await writePublishedMemberships(tx, memberships, 'replace');
  await makeSegmentsDue(tx, [...new Set(refs)], nowS);
  const leaving = published.flatMap((data, at) => {
    if (known.has(data.segment_id) || !data.member) return [];
    const ended = { member: false, changedAt: nowS, reason: 'definition' as const, account: undefined };
    const membership = { ...memberships[at], ...ended };
    const user = users.get(userKeyText(keyOf(data)))!;
    return [{ user, membership, organizerId: data.organizer_id, platformUserId: data.platform_user_id }];
  });
  await writePublishedMemberships(
    tx,
    leaving.map(({ membership }) => membership),
    'replace',
  );
  await appendOutbox(tx, 'engagement', leaving.map(membershipRecord));
  return { written: refs.length, left: leaving.length };
}

/**
 * Takes memberships in a restore, after the erasures. Those from before an erasure are removed from their topic: the erasure
 * found no row of them, so that it could not remove them. The caller excludes concurrent erasures.
 */
export async function takeMembershipsOfRestore(
  tx: Queryable,
  told: readonly SegmentMembershipData[],
  nowMs: number,
): Promise<TakenMemberships> {
  const { published, erased } = await separateErased(tx, told);
  await appendOutbox(
    tx,
    'engagement',
    erased.map((data) => membershipTombstone(keyOf(data), data.segment_id)),
  );
  return takeMemberships(tx, published, nowMs);
}

/**
 * Adds published memberships of existing segments that the table lacks, without those from before an erasure. The caller
 * excludes concurrent erasures.
 */
export async function addToldMemberships(tx: Queryable, told: readonly SegmentMembershipData[]): Promise<number> {
  const { published } = await separateErased(tx, told);
  const ids = await readKnownDefinitions(tx, [...new Set(published.map((data) => data.segment_id))]);
  const { memberships } = await resolve(
    tx,
    published.filter((data) => ids.has(data.segment_id)),
  );
  return (await writePublishedMemberships(tx, memberships, 'add')).length;
}

/**
 * Separates memberships from before an erasure of their user. Stored, they would bring the user back for ever, because an
 * erasure is applied once. A user without a row has no link since the erasure, whatever the time of the membership: events in
 * flight may have changed it after the erasure began.
 */
async function separateErased(
  tx: Queryable,
  told: readonly SegmentMembershipData[],
): Promise<{ published: SegmentMembershipData[]; erased: SegmentMembershipData[] }> {
  const existing = new Set((await lockExistingUsers(tx, told.map(keyOf))).map(userKeyText));
  const refOf = (data: SegmentMembershipData): LinkRef => {
    const user = keyOf(data);
    return { ...user, linkedAt: existing.has(userKeyText(user)) ? data.changed_at : 0 };
  };
  const isErased = await readErased(tx, told.map(refOf));
  return {
    published: told.filter((data) => !isErased(refOf(data))),
    erased: told.filter((data) => isErased(refOf(data))),
  };
}

async function resolve(tx: Queryable, published: readonly SegmentMembershipData[]) {
  const users = await lockUsers(tx, published.map(keyOf));
  const known = await readKnownDefinitions(tx, [...new Set(published.map((data) => data.segment_id))]);
  const memberships = published.map((data): Membership => ({
    userRef: users.get(userKeyText(keyOf(data)))!.userRef,
    segmentId: data.segment_id,
    segmentVersion: data.segment_version,
    member: data.member,
    changedAt: data.changed_at,
    reason: data.reason,
    ...(data.member && data.platform_user_id !== '' ? { account: data.platform_user_id } : {}),
  }));
  return { users, known, memberships };
}

function keyOf(data: SegmentMembershipData): UserKey {
  return { platform: data.platform, userId: data.user_id };
}
