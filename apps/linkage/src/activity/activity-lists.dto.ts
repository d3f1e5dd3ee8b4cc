import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, PageQuery } from '@podium/runtime/http';
import { IsIn, IsUUID } from 'class-validator';
import { type PartnerOperationName, partnerOperations } from '../partner-client/exchange-record';

const outcomes = ['ok', 'rejected', 'unavailable', 'malformed', 'address_refused'];
const refreshOutcomes = ['refreshed', 'ended', 'unused', 'lost'];

/** Filters of the list of exchanges. */
export class ExchangesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'Only failed ones, or only successful ones' })
  @IfGiven()
  @IsIn(['true', 'false'])
  failed?: string;

  @ApiPropertyOptional({ enum: partnerOperations })
  @IfGiven()
  @IsIn(partnerOperations)
  operation?: PartnerOperationName;
}

/** What was sent, redacted. */
export class ExchangeRequestReply {
  @ApiProperty()
  method: string;

  @ApiProperty()
  url: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Fields of the form; of codes, tokens and verifiers only the length',
  })
  fields: Readonly<Record<string, string>>;
}

/** What was received, redacted. */
export class ExchangeResponseReply {
  @ApiProperty({ type: 'integer' })
  status: number;

  @ApiProperty({ description: 'What kind of body it was, and its size' })
  body: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Fields of a JSON body that standards name, each with its type and length',
  })
  fields: Readonly<Record<string, string>>;
}

/** A request to the partner with its response, as it is shown of test links too. */
export class ShownExchangeReply {
  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ enum: partnerOperations })
  operation: PartnerOperationName;

  @ApiProperty({ enum: outcomes })
  outcome: string;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed' })
  reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: "The partner's error code if a standard defines it" })
  partner_code: string | null;

  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  @ApiProperty({
    enum: ['current', 'previous'],
    nullable: true,
    description: 'Which of two live client secrets authenticated it; null for a request with an access token',
  })
  client_secret: 'current' | 'previous' | null;

  @ApiProperty()
  request: ExchangeRequestReply;

  @ApiProperty({ type: ExchangeResponseReply, nullable: true, description: 'Null when no response arrived' })
  response: ExchangeResponseReply | null;
}

/** A request to the partner in the list of an integration. */
export class ExchangeReply extends ShownExchangeReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  exchange_id: number;
}

/** A page of exchanges, newest first. */
export class ExchangesPageReply {
  @ApiProperty({ type: [ExchangeReply] })
  items: ExchangeReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** Filters of the journal of refreshes. */
export class RefreshesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: refreshOutcomes })
  @IfGiven()
  @IsIn(refreshOutcomes)
  outcome?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IfGiven()
  @IsUUID()
  link_id?: string;
}

/** A refresh token that was sent, and what became of it. */
export class RefreshReply {
  @ApiProperty({ type: 'integer', format: 'int64' })
  refresh_id: number;

  @ApiProperty({ format: 'uuid' })
  link_id: string;

  @ApiProperty({ type: 'integer', description: 'Which generation of the tokens of the link was sent' })
  token_version: number;

  @ApiProperty()
  instance: string;

  @ApiProperty({ format: 'date-time' })
  begun_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at: string | null;

  @ApiProperty({
    enum: refreshOutcomes,
    nullable: true,
    description:
      '`refreshed`; `ended`: the partner ended the grant; `unused`: it did not take the token; `lost`: no answer ' +
      'arrived, so the same token is sent again. Null while it is open',
  })
  outcome: string | null;
}

/** A page of refreshes, newest first. */
export class RefreshesPageReply {
  @ApiProperty({ type: [RefreshReply] })
  items: RefreshReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
