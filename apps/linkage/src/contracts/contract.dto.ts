import { AttributeType, ContractEvent, EventKind } from '@podium/messages';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsNestedList, IsPlainText, IsTime } from '@podium/runtime/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, Matches, Min } from 'class-validator';

const kinds: EventKind[] = ['one_off', 'repeatable'];
const types: AttributeType[] = ['string', 'integer', 'decimal', 'boolean', 'timestamp', 'currency'];

/** A negotiated attribute. */
export class ContractAttributeDto {
  @ApiProperty({ description: 'As the partner sends it, compared byte for byte', maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty({ enum: types, description: 'The type of the value, which is always sent as a string; never changes' })
  @IsIn(types)
  type: AttributeType;

  @ApiPropertyOptional({ description: 'A retired attribute is dropped like one that was never negotiated' })
  @IfGiven()
  @IsBoolean()
  retired?: boolean;

  @ApiPropertyOptional({
    maxLength: 255,
    description:
      'Makes a decimal money: the `currency` attribute of the same event that names its currency. Without a value there, the ' +
      'amount counts as absent. Given with the attribute or never, and never changed',
  })
  @IfGiven()
  @IsPlainText(255)
  currency_attribute?: string;

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: 8,
    items: { type: 'string', pattern: '^[A-Z]{3}$' },
    description:
      'The currencies of money, required with `currency_attribute`; later versions only add some. An amount in another ' +
      'currency counts as absent, also after that currency is added',
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(8)
  @Matches(/^[A-Z]{3}$/, { each: true, message: 'must each be three capital letters such as EUR' })
  currencies?: string[];

  @ApiPropertyOptional({
    description:
      'The values of an integer or decimal are never negative; a negative one counts as absent. Given with the attribute or ' +
      'never, and never changed',
  })
  @IfGiven()
  @IsBoolean()
  non_negative?: boolean;
}

/** A negotiated event. */
export class ContractEventDto {
  @ApiProperty({ description: 'As the partner sends it, compared byte for byte', maxLength: 255 })
  @IsPlainText(255)
  name: string;

  @ApiProperty({
    enum: kinds,
    description: '`repeatable` (deposit, trade) is stored for six months, `one_off` (KYC) permanently; never changes',
  })
  @IsIn(kinds)
  kind: EventKind;

  @ApiProperty({ type: [ContractAttributeDto] })
  @IsNestedList()
  @ArrayMaxSize(100)
  @Type(() => ContractAttributeDto)
  attributes: ContractAttributeDto[];

  @ApiPropertyOptional({ description: 'Events of a retired name are refused like those of one never negotiated' })
  @IfGiven()
  @IsBoolean()
  retired?: boolean;
}

/** A new version of the contract: the whole list, including everything negotiated before. */
export class PublishContractDto {
  @ApiProperty({
    type: [ContractEventDto],
    description: 'All events; names are added or retired; kinds, types and what is declared of numbers never change',
  })
  @IsNestedList()
  @ArrayMaxSize(1000)
  @Type(() => ContractEventDto)
  events: ContractEventDto[];

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'The time of receipt from which it applies; now when left out, never in the past',
  })
  @IfGiven()
  @IsTime()
  in_force_from?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'The newest version that was read, 0 for none; if there is a newer one, the response is a conflict. Without it a list ' +
      'that was made from an older version un-retires what another operator has retired since',
  })
  @IfGiven()
  @IsInt()
  @Min(0)
  expected_version?: number;
}

/** A version of the contract. */
export class ContractReply {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: [ContractEventDto] })
  events: ContractEvent[];

  @ApiProperty({ format: 'date-time' })
  in_force_from: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When every live instance had it; null until then',
  })
  in_force_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty()
  created_by: string;
}

/** A page of versions, newest first. */
export class ContractPageReply {
  @ApiProperty({ type: [ContractReply] })
  items: ContractReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
