import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** States of a link; in all but `unlinked` the user's events are accepted (invariant V3). */
export const LinkState = Type.Union([
  Type.Literal('linking'),
  Type.Literal('ready'),
  Type.Literal('refreshing'),
  Type.Literal('needs_reauth'),
  Type.Literal('unlinked'),
]);
export type LinkState = Static<typeof LinkState>;

/** State of one link between a user and an account at a partner. */
export const LinkData = Type.Object({
  link_id: Type.String({ description: 'Survives a reconnect of the same pair' }),
  integration_id: Type.String(),
  platform: Type.String(),
  platform_user_id: Type.String({ description: "The partner's `sub` (specification, User info response)" }),
  user_id: Type.String({ description: 'The user at the service' }),
  organizer_id: Type.String(),
  state: LinkState,
  linked_at: Type.Integer({ description: 'Unix seconds; a reconnect sets it again' }),
  unlinked_at: Type.Optional(
    Type.Integer({
      description: 'Unix seconds, only in the state unlinked: when it was unlinked. Absent in records of version 1',
    }),
  ),
});
export type LinkData = Static<typeof LinkData>;

/** Repeats of one revision are the same state; a view applies only a higher revision of a (platform, sub). */
export const linkChanged = {
  type: 'linkage.link.changed',
  schemaVersion: 2,
  data: LinkData,
  idempotencyKey: ['data.platform', 'data.platform_user_id', 'revision'],
  summary: 'The whole state of one link after a change',
} as const satisfies EventDefinition;
