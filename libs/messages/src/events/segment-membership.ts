import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** Whether a user is in a segment, after a change. */
export const SegmentMembershipData = Type.Object({
  segment_id: Type.String(),
  segment_version: Type.Integer({ minimum: 1 }),
  platform: Type.String(),
  organizer_id: Type.String(),
  user_id: Type.String(),
  platform_user_id: Type.String(),
  member: Type.Boolean(),
  changed_at: Type.Integer({ description: 'Unix seconds' }),
  reason: Type.Union([Type.Literal('event'), Type.Literal('time'), Type.Literal('link'), Type.Literal('definition')]),
});
export type SegmentMembershipData = Static<typeof SegmentMembershipData>;

/** Repeats of one revision are the same state; apply only a higher revision of a (platform, user, segment). */
export const segmentMembershipChanged = {
  type: 'engagement.segment-membership.changed',
  schemaVersion: 1,
  data: SegmentMembershipData,
  idempotencyKey: ['data.platform', 'data.user_id', 'data.segment_id', 'revision'],
  summary: 'A user entered or left a segment',
} as const satisfies EventDefinition;
