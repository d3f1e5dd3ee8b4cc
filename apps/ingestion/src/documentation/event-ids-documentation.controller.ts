import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiQuery, ApiTags } from '@nestjs/swagger';
import { ErrorCode, reconcileLimits } from '@podium/messages';
import { ApiErrors, faultCodes, rateHeaders, readCodes, requestCodes } from './documented-errors';

const idExample = '5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e';
const idSchema = { type: 'string', minLength: 1, maxLength: 255, example: idExample } as const;

/** The body of a reconcile request. */
export class ReconcileDto {
  @ApiProperty({
    type: 'array',
    items: idSchema,
    maxItems: reconcileLimits.maxIds,
    description:
      'Ids of events, exactly as they were sent; each at most 255 bytes of UTF-8. The only field of the body',
  })
  ids: string[];
}

/** Body of a 200 of a reconcile request. */
export class ReconcileAnswerDto {
  @ApiProperty({
    type: [String],
    description: 'The ids that were never accepted, each once: send these events again, with the same ids',
    example: [idExample],
  })
  missing: string[];
}

/** Body of a 200 of a status request. */
export class EventStatusDto {
  @ApiProperty({ description: 'false: no request with this id was answered 200 before this one' })
  accepted: boolean;
}

/** The error codes of a reconcile request; `forbidden` is a key without the scope events:read. */
export const reconcileCodes = ['not_found', ...requestCodes, ...faultCodes] as const satisfies readonly ErrorCode[];

/** The error codes of a status request. */
export const statusCodes: readonly ErrorCode[] = ['not_found', ...readCodes, ...faultCodes];

const guarantee =
  'An id that is reported as missing had no 200 before this request; sending its event again is safe. Any other id was ' +
  'accepted, at any time: ids are kept for good. The answer waits up to 3.5 s for events that are on their way. When it ' +
  'cannot be certain it is 503, never wrong: retry it. Questions about ids have a rate of their own, 4 per second.';

/** Documents the partners' questions about event ids. It serves no request: engagement answers them. */
@ApiTags('Partner events')
@ApiBearerAuth('event-key')
@Controller('cdp/v1/users/events')
export class EventIdsDocumentationController {
  @Post('reconcile')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reconcileUserEvents',
    summary: 'Find out which of up to 10,000 events were never accepted',
    description: `${guarantee} One request of a platform may be under way. Bodies are JSON in UTF-8 of at most 3 MiB.`,
  })
  @ApiOkResponse({ type: ReconcileAnswerDto, description: 'The missing ids', headers: rateHeaders('questions') })
  @ApiErrors(reconcileCodes, { rateOf: 'questions' })
  reconcile(@Body() _body: ReconcileDto): ReconcileAnswerDto {
    throw new Error('documentation only');
  }

  @Get('status')
  @ApiOperation({
    operationId: 'getUserEventStatus',
    summary: 'Find out whether an event was accepted',
    description: guarantee,
  })
  @ApiQuery({ name: 'id', schema: idSchema, description: 'The id of the event, exactly as it was sent' })
  @ApiOkResponse({ type: EventStatusDto, description: 'Whether it was accepted', headers: rateHeaders('questions') })
  @ApiErrors(statusCodes, { rateOf: 'questions' })
  status(@Query('id') _id: string): EventStatusDto {
    throw new Error('documentation only');
  }
}
