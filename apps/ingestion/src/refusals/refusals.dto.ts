import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText, PageQuery } from '@podium/runtime/http';

/** Filters of the list of refusals. */
export class RefusalsQuery extends PageQuery {
  @ApiProperty({ description: "The platform's name", example: 'acme' })
  @IsPlainText(255)
  platform: string;

  @ApiPropertyOptional({ description: 'Only this code of the error catalogue, or `content_differs`' })
  @IfGiven()
  @IsPlainText(64)
  code?: string;
}

/** Refused events of one platform, day, code and user. */
export class RefusalDto {
  @ApiProperty({ description: 'Day in UTC', example: '2026-01-31' })
  day: string;

  @ApiProperty({
    description: 'Code of the error catalogue, or `content_differs`: a handled id was sent again with other content',
  })
  code: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The user at the partner; null if unknown, and for users beyond the first 1000 of a day and code',
  })
  platform_user_id: string | null;

  @ApiProperty({ type: 'integer' })
  refusals: number;

  @ApiProperty({ format: 'date-time' })
  first_at: string;

  @ApiProperty({ format: 'date-time' })
  last_at: string;

  @ApiProperty({ description: 'The last error message to the partner' })
  last_message: string;
}

/** A page of refusals. */
export class RefusalsPageDto {
  @ApiProperty({ type: [RefusalDto] })
  items: RefusalDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
