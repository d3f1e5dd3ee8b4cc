import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsOpaqueId, IsPlainText, PageQuery } from '@podium/runtime/http';

/** Filters of a partner's refused events. */
export class RefusedEventsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only this code of the error catalogue', example: 'user_not_linked' })
  @IfGiven()
  @IsPlainText(64)
  code?: string;

  @ApiPropertyOptional({ description: 'Only the event with this id', minLength: 1, maxLength: 255 })
  @IfGiven()
  @IsOpaqueId(255)
  event_id?: string;
}

/** An event that was refused, with one code. */
export class RefusedEventDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null when the body has no id that can be read: such refusals share a row per code',
  })
  event_id: string | null;

  @ApiProperty({ description: 'Code of the error catalogue', example: 'event_not_negotiated' })
  code: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Path of the field that was refused',
    example: 'event.created_at',
  })
  field: string | null;

  @ApiProperty({ description: 'The last error message' })
  message: string;

  @ApiProperty({ type: String, nullable: true })
  platform_user_id: string | null;

  @ApiProperty({ type: 'integer', description: 'How often it was refused with this code' })
  refusals: number;

  @ApiProperty({ format: 'date-time' })
  first_at: string;

  @ApiProperty({ format: 'date-time' })
  last_at: string;

  @ApiProperty({ description: '`x-request-id` of the last response' })
  last_request_id: string;
}

/** A page of refused events, newest first. */
export class RefusedEventsPageDto {
  @ApiProperty({ type: [RefusedEventDto] })
  items: RefusedEventDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
