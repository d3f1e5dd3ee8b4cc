import { appendOutbox } from '@podium/runtime/outbox';
import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { lockFreeUsers } from '../inbox/users.store';
import { readUserLinks } from '../link-view/links.store';
import { membershipRecord } from './membership-record';
import { readMembersOfEnded, readMemberships, writeMemberships } from './memberships.store';

/**
 * Takes the members out of segments that operators have ended, a bounded part of them; returns how many left.
 * Users whom another transaction holds are left to the next round.
 */
export async function leaveEnded(parts: ApplyParts, limit: number): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    // Under the lock of the epoch: a batch that still goes by the segment has ended, later ones do not know it.
    await parts.definitions.current(tx);
    const members = await readMembersOfEnded(tx, limit);
    if (members.length === 0) return 0;
    const users = await lockFreeUsers(tx, [...new Set(members.map(({ userRef }) => userRef))]);
    const byRef = new Map(users.map((user) => [user.userRef, user]));
    const present = await readMemberships(tx, [...byRef.keys()]);
    const links = await readUserLinks(tx, [...byRef.keys()]);
    const changedAt = Math.floor(parts.now() / 1000);
    const leaving = members
      .filter(({ userRef, segmentId }) => present.get(userRef)?.has(segmentId))
      .map((member) => ({
        organizerId: member.organizerId,
        user: byRef.get(member.userRef)!,
        platformUserId: links.get(member.userRef)?.platformUserId ?? '',
        membership: { ...member, member: false, changedAt, reason: 'definition' as const },
      }));
    await writeMemberships(
      tx,
      leaving.map(({ membership }) => membership),
    );
    await appendOutbox(tx, 'engagement', leaving.map(membershipRecord));
    return leaving.length;
  });
}
