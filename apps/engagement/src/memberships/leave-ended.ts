import { appendOutbox } from '@podium/runtime/outbox';
import { Pool, inTransaction } from '@podium/runtime/postgres';
import { LiveDefinitions } from '../progress/live-definitions';
import { readUserLinks } from '../users/user-links.store';
import { lockFreeUsers } from '../users/users.store';
import { membershipRecord } from './membership-record';
import { readMembersOfEnded, readMemberships, writeMemberships } from './memberships.store';

/**
 * Removes at most `limit` members from segments that operators have ended; returns how many left. Users whom another
 * transaction has locked wait for the next round.
 */
export async function leaveEnded(
  parts: { readonly pool: Pool; readonly definitions: LiveDefinitions; readonly now: () => number },
  limit: number,
): Promise<number> {
  return inTransaction(parts.pool, async (tx) => {
    // Under the lock of the epoch: batches that still knew the segment have ended, later ones do not know it.
    await parts.definitions.currentForSlowWork(tx);
    const nowMs = parts.now();
    const members = await readMembersOfEnded(tx, nowMs, limit);
    if (members.length === 0) return 0;
    const users = await lockFreeUsers(tx, [...new Set(members.map(({ userRef }) => userRef))]);
    const byRef = new Map(users.map((user) => [user.userRef, user]));
    const present = await readMemberships(tx, [...byRef.keys()], Math.floor(nowMs / 1000));
    const links = await readUserLinks(tx, [...byRef.keys()]);
    const leaving = members
      .filter(({ userRef, segmentId }) => present.get(userRef)?.get(segmentId)?.member)
      .map((member) => ({
        organizerId: member.organizerId,
        user: byRef.get(member.userRef)!,
        platformUserId:
          present.get(member.userRef)?.get(member.segmentId)?.account ??
          links.get(member.userRef)?.platformUserId ??
          '',
        membership: { ...member, member: false, changedAt: member.endedAt, reason: 'definition' as const },
      }));
    await writeMemberships(
      tx,
      leaving.map(({ membership }) => membership),
    );
    await appendOutbox(tx, 'engagement', leaving.map(membershipRecord));
    return leaving.length;
  });
}
