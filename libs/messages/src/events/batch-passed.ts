import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** Permission to pass one undecodable batch of records. */
export const BatchPassedData = Type.Object({
  topic: Type.String({ minLength: 1 }),
  partition: Type.Integer({ minimum: 0 }),
  first_offset: Type.Integer({ minimum: 0 }),
  last_offset: Type.Integer({ minimum: 0 }),
  digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: "SHA-256 of the batch's bytes, hex" }),
  reason: Type.String({ description: 'Why it cannot be decoded' }),
});
export type BatchPassedData = Static<typeof BatchPassedData>;

/** Repeats are the same permission. It does not apply to a batch with other bytes at the same offset. */
export const batchPassed = {
  type: 'operators.batch.passed',
  schemaVersion: 1,
  data: BatchPassedData,
  idempotencyKey: ['data.topic', 'data.partition', 'data.first_offset', 'data.digest'],
  summary:
    'Operators let consumers go past a batch that cannot be decoded; each group leaves a dead letter in its place',
} as const satisfies EventDefinition;
