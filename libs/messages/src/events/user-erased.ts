import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** An erasure, retained permanently: it contains no user ids, but whoever still has the ids finds the user by them. */
export const UserErasedData = Type.Object({
  erasure_id: Type.String(),
  users: Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' }), {
    description:
      'Digests of (platform, user_id), one per platform: the first 16 bytes of SHA-256 over both, each before it its ' +
      'length in UTF-8 bytes as a 32-bit big-endian number; hex',
  }),
  erased_at: Type.Integer({ description: 'Unix seconds: what belongs to a link with an earlier linked_at is erased' }),
});
export type UserErasedData = Static<typeof UserErasedData>;

/** Repeats are the same erasure; applying it again deletes nothing that belongs to a later link. */
export const userErased = {
  type: 'linkage.user.erased',
  schemaVersion: 1,
  data: UserErasedData,
  idempotencyKey: ['data.erasure_id'],
  summary: 'A user was erased; events of links made before are to be skipped for good',
} as const satisfies EventDefinition;
