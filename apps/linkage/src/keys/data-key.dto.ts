import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IfGiven, IsPlainText, PageQuery } from '@podium/runtime/http';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsISO8601,
  IsInt,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { timeMessage } from './api-key.dto';
import { AnyDataKeyScopeDto, DataKeyScopeDto, dataKeyScopeDto, dataKeyScopes } from './data-key-scopes.dto';

const organizerPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const organizerMessage = { message: 'must be 1 to 128 letters, digits, . _ : or -' };

/** A new data key. */
@ApiExtraModels(...dataKeyScopes)
export class CreateDataKeyDto {
  @ApiProperty({ description: 'What the key is called, such as who uses it for what', maxLength: 255 })
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
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(dataKeyScopes.length)
  @ArrayUnique((item: DataKeyScopeDto | null) => item?.scope, { message: 'each scope may be given once' })
  @ValidateNested({ each: true })
  @Transform(({ value }) => (Array.isArray(value) ? value.map(dataKeyScopeDto) : (value as unknown)))
  scopes: AnyDataKeyScopeDto[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: 'Requests per second, over all instances; so many may also come at once',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(10_000)
  rate_per_second?: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'When the key ends by itself; never when left out' })
  @IfGiven()
  @IsISO8601({ strict: true, strictSeparator: true }, timeMessage)
  not_after?: string;

  @ApiPropertyOptional({
    enum: ['podium', 'uuid'],
    default: 'podium',
    description: '`uuid` for clients that take nothing but a UUID; it does not name its environment',
  })
  @IfGiven()
  @IsIn(['podium', 'uuid'])
  format?: 'podium' | 'uuid';

  @ApiPropertyOptional({
    description: "Whose operators manage the key; the service's own when left out",
    maxLength: 128,
  })
  @IfGiven()
  @IsString()
  @Matches(organizerPattern, organizerMessage)
  organizer_id?: string;
}

/** Which data keys to list. */
export class DataKeyQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only keys that the operators of this organizer manage' })
  @IfGiven()
  @IsString()
  @Matches(organizerPattern, organizerMessage)
  organizer_id?: string;
}
