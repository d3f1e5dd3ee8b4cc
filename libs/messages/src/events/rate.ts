import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';
import { CurrencyCode } from './integration';

/** One unit of `from` was `rate` units of `to` on a UTC day. */
export const RateData = Type.Object({
  organizer_id: Type.String(),
  from: CurrencyCode,
  to: CurrencyCode,
  day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
  rate: Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,12})?$', description: 'Plain decimal above 0' }),
  given_by: Type.String({ description: 'Operator' }),
  given_at: Type.Integer({ description: 'Unix milliseconds' }),
  approved_by: Type.String({ description: 'Another operator' }),
  approved_at: Type.Integer({ description: 'Unix milliseconds' }),
});
export type RateData = Static<typeof RateData>;

/** Repeats are the same rate: an approved one never changes. */
export const rateApproved = {
  type: 'engagement.rate.approved',
  schemaVersion: 1,
  data: RateData,
  idempotencyKey: ['data.organizer_id', 'data.from', 'data.to', 'data.day'],
  summary: 'A second operator approved a rate of exchange',
} as const satisfies EventDefinition;
