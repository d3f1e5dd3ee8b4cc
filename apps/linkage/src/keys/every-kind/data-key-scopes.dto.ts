import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, Matches } from 'class-validator';

const scopeNames = ['data:read', 'queues:developer', 'queues:organizer'] as const;
const idPattern = '^[A-Za-z0-9_-]{1,64}$';
const maxIds = 100;
const idList = {
  type: 'array',
  minItems: 1,
  maxItems: maxIds,
  uniqueItems: true,
  items: { type: 'string', pattern: idPattern },
} as const;

/** The field that all scopes have; an unknown name is refused by its rule. */
export class DataKeyScopeDto {
  @ApiProperty({ enum: scopeNames })
  @IsIn(scopeNames)
  scope: (typeof scopeNames)[number];
}

/** All operations except those of queues. */
export class DataReadScopeDto extends DataKeyScopeDto {
  @ApiProperty({ enum: ['data:read'] })
  declare scope: 'data:read';
}

/** Queues of these games. */
export class QueuesDeveloperScopeDto extends DataKeyScopeDto {
  @ApiProperty({ enum: ['queues:developer'] })
  declare scope: 'queues:developer';

  @ApiProperty(idList)
  @AreIds()
  game_ids: string[];
}

/** Queues of these organizers. */
export class QueuesOrganizerScopeDto extends DataKeyScopeDto {
  @ApiProperty({ enum: ['queues:organizer'] })
  declare scope: 'queues:organizer';

  @ApiProperty(idList)
  @AreIds()
  organizer_ids: string[];
}

/** Every scope that a data key may have. */
export const dataKeyScopes = [DataReadScopeDto, QueuesDeveloperScopeDto, QueuesOrganizerScopeDto] as const;

/** Converts an element of a body's scopes to the class that validates it; the transformer's own choice fails on null. */
export function dataKeyScopeDto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { scope } = value as { scope?: unknown };
  switch (scope) {
    case 'data:read':
      return plainToInstance(DataReadScopeDto, value);
    case 'queues:developer':
      return plainToInstance(QueuesDeveloperScopeDto, value);
    case 'queues:organizer':
      return plainToInstance(QueuesOrganizerScopeDto, value);
    default:
      return plainToInstance(DataKeyScopeDto, value);
  }
}

/** A body's scope. */
export type AnyDataKeyScopeDto = DataReadScopeDto | QueuesDeveloperScopeDto | QueuesOrganizerScopeDto;

function AreIds(): PropertyDecorator {
  const rules = [
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(maxIds),
    ArrayUnique(),
    Matches(new RegExp(idPattern), { each: true, message: 'must be 1 to 64 letters, digits, _ or -, each' }),
  ];
  return (target, property) => {
    for (const rule of rules) rule(target, property);
  };
}
