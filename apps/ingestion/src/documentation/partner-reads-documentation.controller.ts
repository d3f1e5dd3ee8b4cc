import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ErrorCode } from '@podium/messages';
import { PageQuery } from '@podium/runtime/http';
import { DriftPageDto } from '../drift/drift.dto';
import { RefusedEventsPageDto, RefusedEventsQuery } from '../refusals/refused-events.dto';
import { PartnerContractDto } from './contract.dto';
import { ApiErrors, faultCodes, rateHeaders, readCodes } from './documented-errors';

/** The error codes of a read. A deployment of an earlier release has no such path. */
export const partnerReadCodes: readonly ErrorCode[] = ['not_found', ...readCodes, ...faultCodes];

const etag = {
  ETag: { description: 'Strong; send it back in If-None-Match', schema: { type: 'string' as const } },
};

/** Documents what partners read of themselves. It serves no request: `partner-reads/` does, behind the gateway. */
@ApiTags('Contract and refusals')
@ApiBearerAuth('event-key')
@Controller('cdp/v1')
export class PartnerReadsDocumentationController {
  @Get('contract')
  @ApiOperation({
    operationId: 'showContract',
    summary: 'Show what is negotiated with you and in force',
    description:
      'Event names, their attributes and types, a JSON Schema of each event, your rate, and versions that will be in force. ' +
      'Events are admitted by the same data. Needs a key with the scope `events:read`.',
  })
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'ETag of the contract that you have' })
  @ApiOkResponse({ type: PartnerContractDto, headers: { ...rateHeaders(), ...etag } })
  @ApiResponse({ status: 304, description: 'Unchanged', headers: { ...rateHeaders(), ...etag } })
  @ApiErrors(partnerReadCodes)
  showContract(): PartnerContractDto {
    throw new Error('documentation only');
  }

  @Get('refusals')
  @ApiOperation({
    operationId: 'listRefusedEvents',
    summary: 'List your refused events, newest first',
    description:
      'One row per event id and code, with how often and why it was refused. The newest 10,000 are kept for seven days and ' +
      'are erased with the account of their user. They appear within seconds. Refusals with 401, 413, 415, 429 and 5XX are ' +
      'not listed. Needs a key with the scope `events:read`.',
  })
  @ApiOkResponse({ type: RefusedEventsPageDto, headers: rateHeaders() })
  @ApiErrors(partnerReadCodes)
  listRefusedEvents(@Query() _query: RefusedEventsQuery): RefusedEventsPageDto {
    throw new Error('documentation only');
  }

  @Get('drift')
  @ApiOperation({
    operationId: 'listDrift',
    summary: 'List the names on which your events and your contract differ, per day',
    description:
      'Event names that are not negotiated, attributes that are left out, and attributes whose values do not parse as their ' +
      'type, each with how often it was sent. Names are as you sent them; values are not stored. Counts appear within seconds ' +
      'and are kept for 14 days. Needs a key with the scope `events:read`.',
  })
  @ApiOkResponse({ type: DriftPageDto, headers: rateHeaders() })
  @ApiErrors(partnerReadCodes)
  listDrift(@Query() _query: PageQuery): DriftPageDto {
    throw new Error('documentation only');
  }
}
