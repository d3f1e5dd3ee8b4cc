import { ApiProperty } from '@nestjs/swagger';

/** A recorded change. */
export class DefinitionAuditReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  id: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty()
  operator_id: string;

  @ApiProperty({ description: 'Such as task.published or task.unissued_paid' })
  action: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What changed, without names of users' })
  details: Readonly<Record<string, unknown>>;
}

/** A page of changes, newest first. */
export class DefinitionAuditPageReply {
  @ApiProperty({ type: [DefinitionAuditReply] })
  items: DefinitionAuditReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
