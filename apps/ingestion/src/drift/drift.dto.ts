import { ApiProperty } from '@nestjs/swagger';
import { IsPlainText, PageQuery } from '@podium/runtime/http';

/** Filters of operators. */
export class PlatformDriftQuery extends PageQuery {
  @ApiProperty({ description: "The platform's name", example: 'acme' })
  @IsPlainText(255)
  platform: string;
}

/** A name on which events and contract differed on a day. */
export class DriftDto {
  @ApiProperty({ description: 'Day in UTC', example: '2026-01-31' })
  day: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the event; null for all names together that are not negotiated, above 200 of a day',
    example: 'deposit',
  })
  event: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the attribute; null where it is the name of the event that is not negotiated',
    example: 'campaign',
  })
  attribute: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'How often the name was sent. Equal to another count: that happened every time',
  })
  sent: number;

  @ApiProperty({ type: 'integer', description: 'How often the event was refused because its name is not negotiated' })
  not_negotiated: number;

  @ApiProperty({ type: 'integer', description: 'How often the attribute was left out because it is not negotiated' })
  dropped: number;

  @ApiProperty({ type: 'integer', description: 'How often the value did not parse as the negotiated type' })
  not_parsed: number;

  @ApiProperty({ format: 'date-time' })
  first_at: string;

  @ApiProperty({ format: 'date-time' })
  last_at: string;
}

/** A page of drift, newest day first. */
export class DriftPageDto {
  @ApiProperty({ type: [DriftDto] })
  items: DriftDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
