import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';
import { eventRateBounds } from '../event-rate';

/** Retention of an event name's data: `one_off` permanently, `repeatable` raw rows for six months (specification, Limits). */
export const EventKind = Type.Union([Type.Literal('one_off'), Type.Literal('repeatable')]);
export type EventKind = Static<typeof EventKind>;

/** How conditions interpret an attribute's string value. */
export const AttributeType = Type.Union([
  Type.Literal('string'),
  Type.Literal('integer'),
  Type.Literal('decimal'),
  Type.Literal('boolean'),
  Type.Literal('timestamp'),
  Type.Literal('currency'),
]);
export type AttributeType = Static<typeof AttributeType>;

/** ISO 4217 code. */
export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$' });

/**
 * A negotiated attribute; a retired one is dropped like one that was never negotiated. A decimal with `currency_attribute` is
 * money. Neither that nor `non_negative` ever changes; `currencies` only grow.
 */
export const ContractAttribute = Type.Object({
  name: Type.String(),
  type: AttributeType,
  retired: Type.Optional(Type.Boolean()),
  currency_attribute: Type.Optional(
    Type.String({ description: 'The currency attribute of the same event: makes a decimal money' }),
  ),
  currencies: Type.Optional(
    Type.Array(CurrencyCode, {
      minItems: 1,
      maxItems: 8,
      description: 'Currencies of money; a value in another one does not parse',
    }),
  ),
  currency_versions: Type.Optional(
    Type.Record(CurrencyCode, Type.Integer({ minimum: 1 }), {
      description: 'Per currency the first contract version that lists it, which may be older than those of the record',
    }),
  ),
  non_negative: Type.Optional(Type.Boolean({ description: 'A negative integer or decimal does not parse' })),
});
export type ContractAttribute = Static<typeof ContractAttribute>;

/** A negotiated event name with its kind and attributes; kind and types never change. */
export const ContractEvent = Type.Object({
  name: Type.String(),
  kind: EventKind,
  attributes: Type.Array(ContractAttribute),
  retired: Type.Optional(Type.Boolean()),
});
export type ContractEvent = Static<typeof ContractEvent>;

/** One version of an integration's contract, in force for events received from `in_force_from` (Unix ms) on. */
export const ContractVersion = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  in_force_from: Type.Integer({ minimum: 0 }),
  events: Type.Array(ContractEvent),
});
export type ContractVersion = Static<typeof ContractVersion>;

/** State of a partner integration with its current and future contract versions, oldest first. */
export const IntegrationData = Type.Object({
  integration_id: Type.String(),
  platform: Type.String({ description: "The partner's name at the service (specification, platform)" }),
  partner: Type.String({ description: 'Partner company; (partner, organizer) is unique' }),
  organizer_id: Type.String(),
  status: Type.Union([Type.Literal('active'), Type.Literal('paused')]),
  contracts: Type.Array(ContractVersion),
  rate_per_second: Type.Optional(
    Type.Integer({
      minimum: eventRateBounds.min,
      description: 'Requests per second at the partner edge over all keys, and their burst; 40 when it is missing',
    }),
  ),
});
export type IntegrationData = Static<typeof IntegrationData>;

/**
 * Repeats of one revision are the same state; a view applies only a higher revision of a platform. Before version 3 no
 * attribute has `currency_versions`, and before version 4 there is no `rate_per_second`.
 */
export const integrationChanged = {
  type: 'linkage.integration.changed',
  schemaVersion: 4,
  data: IntegrationData,
  idempotencyKey: ['data.platform', 'revision'],
  summary: 'The whole state of one integration after a change',
} as const satisfies EventDefinition;
