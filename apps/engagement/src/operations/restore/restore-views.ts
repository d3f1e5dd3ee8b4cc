import { SegmentMembershipData } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { UserKey, lockUsers, userKeyText } from '../../inbox/users.store';
import { LinkChanges, takeLinks } from '../../link-view/apply-links';
import { membershipRecord } from '../../memberships/membership-record';
import { Membership } from '../../memberships/memberships.store';
import { makeSegmentsDue, readKnownDefinitions, writeToldMemberships } from './restored-views.store';

/**
 * Takes the newest states of links into the view and has the segments of the users concerned looked at again. Returns how
 * many the view did not have.
 */
export async function takeLinkStates(tx: Queryable, changes: LinkChanges, nowMs: number): Promise<number> {
  const { users, newer } = await takeLinks(tx, changes);
  await makeSegmentsDue(
    tx,
    users.map(({ userRef }) => userRef),
    Math.floor(nowMs / 1000),
  );
  return newer;
}

/** What memberships of their topic were to the table. */
export interface TakenMemberships {
  readonly written: number;
  /** Of segments that the database does not have: their members leave. */
  readonly left: number;
}

/**
 * Makes memberships what their topic was told, and has the segments of the users concerned looked at again: what differs from
 * what the events say by then is told, nothing else. Members of segments that are gone leave.
 */
export async function takeMemberships(
  tx: Queryable,
  told: readonly SegmentMembershipData[],
  nowMs: number,
): Promise<TakenMemberships> {
  const nowS = Math.floor(nowMs / 1000);
  const { users, known, memberships } = await resolve(tx, told);
  const refs = await writeToldMemberships(tx, memberships, 'replace');
  await makeSegmentsDue(tx, [...new Set(refs)], nowS);
  const leaving = told.flatMap((data, at) => {
    if (known.has(data.segment_id) || !data.member) return [];
    const membership = { ...memberships[at], member: false, changedAt: nowS, reason: 'definition' as const };
    const user = users.get(userKeyText(keyOf(data)))!;
    return [{ user, membership, organizerId: data.organizer_id, platformUserId: data.platform_user_id }];
  });
  await writeToldMemberships(
    tx,
    leaving.map(({ membership }) => membership),
    'replace',
  );
  await appendOutbox(tx, 'engagement', leaving.map(membershipRecord));
  return { written: refs.length, left: leaving.length };
}

/** Adds the memberships that the table has no row of and the topic was told; of segments that are there. */
export async function addToldMemberships(tx: Queryable, told: readonly SegmentMembershipData[]): Promise<number> {
  const ids = await readKnownDefinitions(tx, [...new Set(told.map((data) => data.segment_id))]);
  const { memberships } = await resolve(
    tx,
    told.filter((data) => ids.has(data.segment_id)),
  );
  return (await writeToldMemberships(tx, memberships, 'add')).length;
}

async function resolve(tx: Queryable, told: readonly SegmentMembershipData[]) {
  const users = await lockUsers(tx, told.map(keyOf));
  const known = await readKnownDefinitions(tx, [...new Set(told.map((data) => data.segment_id))]);
  const memberships = told.map((data): Membership => ({
    userRef: users.get(userKeyText(keyOf(data)))!.userRef,
    segmentId: data.segment_id,
    segmentVersion: data.segment_version,
    member: data.member,
    changedAt: data.changed_at,
    reason: data.reason,
  }));
  return { users, known, memberships };
}

function keyOf(data: SegmentMembershipData): UserKey {
  return { platform: data.platform, userId: data.user_id };
}
