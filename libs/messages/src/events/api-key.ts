import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** Permissions of a data key; an event key has `event_scopes` instead. */
export const KeyScope = Type.Union([
  Type.Object({ scope: Type.Literal('data:read') }),
  Type.Object({ scope: Type.Literal('queues:developer'), game_ids: Type.Array(Type.String()) }),
  Type.Object({ scope: Type.Literal('queues:organizer'), organizer_ids: Type.Array(Type.String()) }),
]);
export type KeyScope = Static<typeof KeyScope>;

/** What an event key may do at the partner edge: send events, or read what is kept of the partner there. */
export const eventScopes = ['events:send', 'events:read'] as const;
export type EventScope = (typeof eventScopes)[number];

/** State of an API key: never the key itself, only the SHA-256 of its whole text. */
export const ApiKeyData = Type.Object({
  key_id: Type.String(),
  kind: Type.Union([Type.Literal('event'), Type.Literal('data')]),
  // A text, so that a release reads keys in a format of the next one.
  format: Type.Optional(Type.String({ description: 'Of a data key: podium or uuid; podium when it is missing' })),
  hash: Type.String({ description: 'SHA-256 of the whole key, hex' }),
  integration_id: Type.Union([Type.String(), Type.Null()]),
  platform: Type.Union([Type.String(), Type.Null()], { description: 'The platform an event key speaks for' }),
  scopes: Type.Array(KeyScope),
  // Texts, so that a release reads keys with scopes of the next one; an unknown scope grants nothing.
  event_scopes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of an event key: events:send, events:read; both when it is missing',
    }),
  ),
  // Unused on an event key: the rate of events belongs to the platform (`rate_per_second` of its integration).
  rate_per_second: Type.Integer({ minimum: 1 }),
  not_after: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix ms; the key ends then' }),
  revoked_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix ms' }),
});
export type ApiKeyData = Static<typeof ApiKeyData>;

/** Repeats of one revision are the same state; a view applies only a higher revision of a key id. Version 1 has no `event_scopes`, version 2 no `format`. */
export const apiKeyChanged = {
  type: 'linkage.api-key.changed',
  schemaVersion: 3,
  data: ApiKeyData,
  idempotencyKey: ['data.key_id', 'revision'],
  summary: 'The whole state of one API key after a change, without the key',
} as const satisfies EventDefinition;
