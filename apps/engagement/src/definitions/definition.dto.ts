import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText, PageQuery } from '@podium/runtime/http';
import { IsInt, Max, Min } from 'class-validator';
import type { VersionState } from './definition.entity';

const states = ['draft', 'published', 'paused', 'ended', 'replaced'];

/** Which definitions to list. */
export class DefinitionsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only this platform' })
  @IfGiven()
  @IsPlainText(255)
  platform?: string;
}

/** Which version to publish. */
export class PublishDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'A draft; the newest one when left out' })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  version?: number;
}

/** The fields of every version except its body. */
export class VersionReply {
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ enum: states, description: '`replaced` by a newer version' })
  state: VersionState;

  @ApiProperty()
  name: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Versions of one generation share progress; occurrences of awards carry it. Null before publishing',
  })
  generation: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Events received from this time on count; earlier ones do not',
  })
  counts_from: string | null;

  @ApiProperty({ description: 'Operator' })
  created_by: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, description: 'Operator' })
  published_by: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  published_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it ended or was replaced' })
  ended_at: string | null;
}
