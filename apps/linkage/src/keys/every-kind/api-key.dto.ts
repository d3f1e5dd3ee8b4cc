import { KeyScope, eventScopes } from '@podium/messages';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IfGiven, IsNestedList, IsTime } from '@podium/runtime/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsInt, Max, Min } from 'class-validator';
import { EventKeyScopeDto } from './event-key-scope.dto';
import { dataKeyScopes } from './data-key-scopes.dto';

const maxOverlapS = 90 * 24 * 60 * 60;

/** A new event key. */
export class CreateKeyDto {
  @ApiPropertyOptional({
    type: [EventKeyScopeDto],
    minItems: 1,
    maxItems: eventScopes.length,
    uniqueItems: true,
    description: 'What the key may do; both when left out',
  })
  @IfGiven()
  @IsNestedList()
  @ArrayMinSize(1)
  @ArrayMaxSize(eventScopes.length)
  @ArrayUnique(({ scope }: EventKeyScopeDto) => scope, { message: 'must not name a scope twice' })
  @Type(() => EventKeyScopeDto)
  scopes?: EventKeyScopeDto[];

  @ApiPropertyOptional({ format: 'date-time', description: 'When the key expires; never when left out' })
  @IfGiven()
  @IsTime()
  not_after?: string;
}

/** The expiry of a key, for the overlap of a rotation. */
export class ExpireKeyDto {
  @ApiProperty({ format: 'date-time' })
  @IsTime()
  not_after: string;
}

/** The rotation of a key. */
export class RotateKeyDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: maxOverlapS,
    default: 604_800,
    description: 'For how many seconds the former key stays valid',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(maxOverlapS)
  overlap_seconds?: number;
}

/** A key without the key. */
@ApiExtraModels(...dataKeyScopes, EventKeyScopeDto)
export class KeyReply {
  @ApiProperty()
  key_id: string;

  @ApiProperty({ enum: ['event', 'data'] })
  kind: 'event' | 'data';

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  integration_id: string | null;

  @ApiProperty({ enum: ['podium', 'uuid'] })
  format: 'podium' | 'uuid';

  @ApiProperty({ type: String, nullable: true, description: 'Name of a data key; null for an event key' })
  name: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The organizer whose operators manage a data key; null for a key of the service itself and for event keys',
  })
  organizer_id: string | null;

  @ApiProperty({
    type: 'array',
    items: { oneOf: [...dataKeyScopes, EventKeyScopeDto].map((scope) => ({ $ref: getSchemaPath(scope) })) },
    description: 'What a data key may read, or what an event key may do',
  })
  scopes: (KeyScope | EventKeyScopeDto)[];

  @ApiProperty({ enum: ['live', 'expired', 'revoked'] })
  state: 'live' | 'expired' | 'revoked';

  @ApiProperty({
    type: 'integer',
    description:
      'Requests per second of a data key. Unused on an event key: its rate is that of the integration, over all keys',
  })
  rate_per_second: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  not_after: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty()
  created_by: string;
}

/** A new key; the key is shown only here. */
export class CreatedKeyReply extends KeyReply {
  @ApiProperty({ description: 'Shown only once; only its hash is stored' })
  key: string;
}

/** A page of keys, newest first. */
export class KeyPageReply {
  @ApiProperty({ type: [KeyReply] })
  items: KeyReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
