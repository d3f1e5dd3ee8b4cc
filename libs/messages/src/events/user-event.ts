import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';
import { EventKind } from './integration';

/** One attribute of a partner's event; values are always strings (specification, Attribute). */
export const EventAttribute = Type.Object({ name: Type.String(), value: Type.String() });
export type EventAttribute = Static<typeof EventAttribute>;

/** An accepted partner event with all decisions of admission, so that no consumer looks them up again. */
export const UserEventData = Type.Object({
  platform: Type.String(),
  platform_user_id: Type.String(),
  event: Type.Object({
    id: Type.String(),
    name: Type.String(),
    created_at: Type.Integer({ minimum: 0, description: 'Unix seconds at which it happened (specification)' }),
    attributes: Type.Array(EventAttribute),
  }),
  user_id: Type.String(),
  link_id: Type.String(),
  linked_at: Type.Integer({ description: 'Unix seconds' }),
  integration_id: Type.String(),
  organizer_id: Type.String(),
  kind: EventKind,
  contract_version: Type.Integer({ minimum: 1 }),
  dropped_attributes: Type.Array(Type.String()),
  received_at: Type.Integer({ description: 'Unix milliseconds at the gateway' }),
});
export type UserEventData = Static<typeof UserEventData>;

/**
 * The topic has an event at least once. Two records come from concurrent requests with the same event, or from a crash
 * between acknowledgement and mark; merge them on (platform, event id). Equal event ids of two platforms are two events.
 */
export const userEventAccepted = {
  type: 'ingestion.user-event.accepted',
  schemaVersion: 1,
  data: UserEventData,
  idempotencyKey: ['data.platform', 'data.event.id'],
  summary: 'A partner event that was answered 200',
} as const satisfies EventDefinition;
