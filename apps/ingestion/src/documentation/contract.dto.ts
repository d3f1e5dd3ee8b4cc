import { AttributeType, EventKind, eventRateBounds, mostBatchEvents } from '@podium/messages';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A negotiated attribute, as its partner sees it. */
export class NegotiatedAttributeDto {
  @ApiProperty({ example: 'amount' })
  name: string;

  @ApiProperty({
    enum: ['string', 'integer', 'decimal', 'boolean', 'timestamp', 'currency'] satisfies AttributeType[],
    description: 'How the text of the value is read; one that does not parse counts as absent',
  })
  type: AttributeType;

  @ApiPropertyOptional({ description: 'The attribute of the same event that names the currency of this amount' })
  currency_attribute?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'The currencies of the amount; in another one it counts as absent',
  })
  currencies?: string[];

  @ApiPropertyOptional({ description: 'A negative value counts as absent' })
  non_negative?: boolean;
}

/** A negotiated event name, as its partner sees it. */
export class NegotiatedEventDto {
  @ApiProperty({ example: 'deposit' })
  name: string;

  @ApiProperty({
    enum: ['one_off', 'repeatable'] satisfies EventKind[],
    description: '`repeatable` (deposit, trade) is stored for six months, `one_off` (KYC) permanently',
  })
  kind: EventKind;

  @ApiProperty({ type: [NegotiatedAttributeDto] })
  attributes: NegotiatedAttributeDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema (draft 2020-12) of the field `event` of an event of which nothing is dropped and every value parses',
  })
  schema: Record<string, unknown>;
}

/** A version of the contract. */
export class NegotiatedVersionDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  version: number;

  @ApiProperty({ format: 'date-time', description: 'The time of receipt from which it applies' })
  in_force_from: string;

  @ApiProperty({ type: [NegotiatedEventDto], description: 'Without retired names, which are refused or dropped' })
  events: NegotiatedEventDto[];
}

/** What is negotiated with a partner (`contract-view/contract-answer.ts`), for the OpenAPI only. */
export class PartnerContractDto {
  @ApiProperty({ example: 'acme' })
  platform: string;

  @ApiProperty({
    type: 'integer',
    ...{ minimum: eventRateBounds.min, maximum: eventRateBounds.max },
    description: 'Events per second over all keys; reads count as one event each',
    example: 40,
  })
  rate_per_second: number;

  @ApiProperty({ type: 'integer', description: 'Events at once after idle time', example: 40 })
  burst: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: mostBatchEvents,
    description: 'Most events of one batch',
    example: 40,
  })
  max_batch: number;

  @ApiProperty({ type: NegotiatedVersionDto, nullable: true, description: 'Null before the first contract' })
  in_force: NegotiatedVersionDto | null;

  @ApiProperty({ type: [NegotiatedVersionDto], description: 'Versions that will be in force, oldest first' })
  upcoming: NegotiatedVersionDto[];
}
