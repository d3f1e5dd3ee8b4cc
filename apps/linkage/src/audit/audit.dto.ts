import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsPlainText, PageQuery } from '@podium/runtime/http';

/** Filters of the audit list. */
export class AuditQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only this organizer' })
  @IfGiven()
  @IsPlainText(255)
  organizer_id?: string;

  @ApiPropertyOptional({ description: 'For example integration:<id> or key:<id>' })
  @IfGiven()
  @IsPlainText(255)
  subject?: string;

  @ApiPropertyOptional({ description: 'The operator, user or part of the service that did it' })
  @IfGiven()
  @IsPlainText(255)
  actor?: string;

  @ApiPropertyOptional({ description: 'For example key.revoked' })
  @IfGiven()
  @IsPlainText(255)
  action?: string;
}

/** A recorded change. */
export class AuditReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  id: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty()
  actor: string;

  @ApiProperty()
  action: string;

  @ApiProperty()
  subject: string;

  @ApiProperty({ type: String, nullable: true })
  organizer_id: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What changed, without secrets' })
  detail: Readonly<Record<string, unknown>>;
}

/** A page of entries, newest first. */
export class AuditPageReply {
  @ApiProperty({ type: [AuditReply] })
  items: AuditReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
