import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNested, IsNestedList } from '@podium/runtime/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsDefined, IsInt, IsString, Min, ValidateBy, ValidateIf } from 'class-validator';
import { maxAheadS, maxAttributes, maxClockErrorS, maxNameBytes } from '../event/event-limits';
import { isBlank, isTooLong } from '../event/parse-event';

/** One attribute of an event (specification, Attribute). */
export class SendEventAttributeDto {
  @Identifier({
    description: 'Negotiated attribute name; attributes that were not negotiated are dropped',
    example: 'amount',
  })
  name: string;

  @ApiProperty({
    description: 'Always a string; may be empty; at most 4 KiB of UTF-8 for a negotiated attribute',
    example: '100.00',
  })
  @IsString()
  @WellFormed()
  value: string;
}

/** The event itself (specification, Event). */
export class SendEventDataDto {
  @Identifier({
    description: 'Identifies the event: unique per distinct event, the same for every retry; compared byte for byte',
    example: '5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e',
  })
  id: string;

  @Identifier({ description: 'Negotiated event name, compared byte for byte', example: 'deposit' })
  name: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description:
      `Unix seconds at which the event happened, not when it was sent; at most ${maxAheadS / 60} minutes ahead. An event that ` +
      `is up to ${maxClockErrorS / 60} minutes ahead is refused with the retry class \`later\` and Retry-After`,
    example: 1767225600,
  })
  @IsInt()
  @Min(0)
  @NotAhead()
  created_at: number;

  @ApiPropertyOptional({
    type: [SendEventAttributeDto],
    maxItems: maxAttributes,
    description: 'May be empty or missing',
  })
  @ValidateIf((event: SendEventDataDto) => event.attributes !== undefined)
  @IsNestedList()
  @ArrayMaxSize(maxAttributes)
  @Type(() => SendEventAttributeDto)
  attributes?: SendEventAttributeDto[];
}

/**
 * The body of `POST /cdp/v1/users/events/send` (specification, Send-event request), for the OpenAPI only. The service reads
 * bodies with `parse-event.ts`; a property-based test compares the two.
 */
export class SendEventDto {
  @Identifier({
    description: 'The user at the partner, as returned in the field sub of the user info response',
    example: 'player-1',
  })
  platform_user_id: string;

  @Identifier({ description: "The partner's name at the service, given with the key", example: 'acme' })
  platform: string;

  @ApiProperty({ type: SendEventDataDto })
  @IsDefined()
  @IsNested()
  @Type(() => SendEventDataDto)
  event: SendEventDataDto;
}

function Identifier(documented: { description: string; example: string }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      ...documented,
      minLength: 1,
      maxLength: maxNameBytes,
      description: `${documented.description}. At most ${maxNameBytes} bytes of UTF-8`,
    }),
    IsString(),
    WellFormed(),
    ValidateBy({
      name: 'isIdentifier',
      validator: { validate: (value) => typeof value === 'string' && !isBlank(value) && !isTooLong(value) },
    }),
  );
}

function WellFormed(): PropertyDecorator {
  return ValidateBy({
    name: 'isWellFormed',
    validator: {
      // A UTF-8 round trip replaces unpaired surrogates.
      validate: (value) =>
        typeof value === 'string' && !value.includes('\0') && Buffer.from(value).toString('utf8') === value,
    },
  });
}

function NotAhead(): PropertyDecorator {
  return ValidateBy({
    name: 'isNotAhead',
    validator: { validate: (value) => Number(value) <= Math.floor(Date.now() / 1000) + maxAheadS },
  });
}
