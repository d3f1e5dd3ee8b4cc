import { recordKey, segmentMembershipChanged, topics } from '@podium/messages';
import { OutboxRecord, OutboxTombstone, outboxRecord } from '@podium/runtime/outbox';
import { LockedUser, UserKey } from '../users/users.store';
import { Membership } from './memberships.store';

/** A changed membership, with the other fields of its record. */
export interface MembershipChange {
  readonly membership: Membership;
  readonly user: LockedUser;
  readonly organizerId: string;
  /** Empty when neither a link nor an event has one. */
  readonly platformUserId: string;
  /** Trace context of the event that caused it. */
  readonly traceparent?: string;
}

/** The record that publishes a change. */
export function membershipRecord(change: MembershipChange): OutboxRecord {
  const { membership, user, organizerId, platformUserId, traceparent } = change;
  return outboxRecord({
    topic: topics.memberships,
    key: recordKey(user.platform, user.userId, membership.segmentId),
    definition: segmentMembershipChanged,
    traceparent,
    data: {
      segment_id: membership.segmentId,
      segment_version: membership.segmentVersion,
      platform: user.platform,
      organizer_id: organizerId,
      user_id: user.userId,
      platform_user_id: platformUserId,
      member: membership.member,
      changed_at: membership.changedAt,
      reason: membership.reason,
    },
  });
}

/** Removes a membership from its topic. */
export function membershipTombstone(user: UserKey, segmentId: string): OutboxTombstone {
  return { topic: topics.memberships, key: recordKey(user.platform, user.userId, segmentId), tombstone: true };
}
