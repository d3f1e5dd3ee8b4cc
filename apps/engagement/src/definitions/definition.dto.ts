import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText, PageQuery } from '@podium/runtime/http';
import { IsBoolean, IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { maxDaysAhead } from './in-force-from';
import { defaultForecastMultiple, maxForecastMultiple } from './max-per-day';
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
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'The draft that the approver has read; may be left out while there is only one version',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  version?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      `From when on the version is in force, in event time: at least 10 minutes ahead, or the start of a day of its zone; at most ${maxDaysAhead} days ahead. ` +
      'When left out, a first version is in force from now on, a later one from the first full 10 minutes that are at least 10 minutes ahead',
  })
  @IfGiven()
  @IsString()
  @MaxLength(64)
  in_force_from?: string;

  @ApiPropertyOptional({
    description: 'Required for a goal that can hold without any event in its windows, so that it pays everybody',
  })
  @IfGiven()
  @IsBoolean()
  rewards_without_events?: boolean;

  @ApiPropertyOptional({
    description:
      'For a task whose goal or repeat has changed, and that repeats once or per period: the task window begins at the start of ' +
      'the task, not at `in_force_from`. Needs a finished dry run of the version',
  })
  @IfGiven()
  @IsBoolean()
  recount?: boolean;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 1,
    maximum: maxForecastMultiple,
    default: defaultForecastMultiple,
    description:
      'For a task without `max_per_day`: the engine pauses it above so many times the mean awards per day of the dry run of the ' +
      'version, at least 10',
  })
  @IfGiven()
  @IsNumber()
  @Min(1)
  @Max(maxForecastMultiple)
  forecast_multiple?: number;
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
    description:
      'One more with each version whose goal or repeat differs; occurrences carry it. Null before publishing',
  })
  generation: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Instants of event time from this one on meet the version; those before it meet the version before',
  })
  in_force_from: string | null;

  @ApiProperty({ description: 'The generation that begins with it counts from the start of the task' })
  recount: boolean;

  @ApiProperty({ description: 'Operator' })
  created_by: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, description: 'Operator' })
  published_by: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  published_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'From when on it has ended or is replaced; may lie ahead',
  })
  ended_at: string | null;
}
