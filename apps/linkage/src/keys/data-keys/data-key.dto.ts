import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IfGiven, IsNestedList, IsPlainText, IsTime, PageQuery } from '@podium/runtime/http';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { AnyDataKeyScopeDto, DataKeyScopeDto, dataKeyScopeDto, dataKeyScopes } from '../every-kind/data-key-scopes.dto';

const organizerPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const organizerMessage = { message: 'must be 1 to 128 letters, digits, . _ : or -' };

/** A new data key. */
@ApiExtraModels(...dataKeyScopes)
export class CreateDataKeyDto {
  @ApiProperty({
    description: 'Name of the key, such as who uses it for what; live keys of one organizer_id have different ones',
    maxLength: 255,
  })
  @IsPlainText(255)
  name: string;

  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: dataKeyScopes.length,
    items: {
      oneOf: dataKeyScopes.map((scope) => ({ $ref: getSchemaPath(scope) })),
    },
    description: 'What the key may read, each scope at most once; a queue scope does not imply data:read',
  })
  @IsNestedList()
  @ArrayMinSize(1)
  @ArrayMaxSize(dataKeyScopes.length)
  @ArrayUnique((item: DataKeyScopeDto | null) => item?.scope, { message: 'each scope may be given once' })
  @Transform(({ value }) => (Array.isArray(value) ? value.map(dataKeyScopeDto) : (value as unknown)))
  scopes: AnyDataKeyScopeDto[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: 'Requests per second, over all instances; the same number may arrive at once',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(10_000)
  rate_per_second?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'When the key expires; never when left out' })
  @IfGiven()
  @IsTime()
  not_after?: string;

  @ApiPropertyOptional({
    enum: ['podium', 'uuid'],
    default: 'podium',
    description: '`uuid` for clients that accept only a UUID; it does not contain its environment',
  })
  @IfGiven()
  @IsIn(['podium', 'uuid'])
  format?: 'podium' | 'uuid';

  @ApiPropertyOptional({
    description: 'The organizer whose operators manage the key; the service itself when left out',
    maxLength: 128,
  })
  @IfGiven()
  @IsString()
  @Matches(organizerPattern, organizerMessage)
  organizer_id?: string;
}

/** Filters of the list of data keys. */
export class DataKeyQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only keys that the operators of this organizer manage' })
  @IfGiven()
  @IsString()
  @Matches(organizerPattern, organizerMessage)
  organizer_id?: string;
}
