import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ErrorCode } from '@podium/messages';
import { ApiErrors, faultCodes, rateHeaders, requestCodes } from './documented-errors';
import { SendEventBatchAnswerDto, SendEventBatchDto } from './event-batch.dto';
import { EventReportDto } from './event-report.dto';
import { SendEventAnswerDto } from './send-event-answer.dto';
import { SendEventDto } from './send-event.dto';

/** The error codes of a single event, in the order of the checks. */
export const sendEventCodes = [
  ...requestCodes,
  'platform_mismatch',
  'event_not_negotiated',
  'user_not_linked',
  ...faultCodes,
] as const satisfies readonly ErrorCode[];

/**
 * The error codes of a request for several events or a validation as a whole; what is wrong with an event is in its result. A
 * deployment of an older release has no such path.
 */
export const batchCodes = ['not_found', ...requestCodes, ...faultCodes] as const satisfies readonly ErrorCode[];

const eventExample = {
  platform_user_id: 'player-1',
  platform: 'acme',
  event: {
    id: '5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e',
    name: 'deposit',
    created_at: 1767225600,
    attributes: [{ name: 'amount', value: '100.00' }],
  },
} as const satisfies SendEventDto;
const laterExample = {
  ...eventExample,
  event: { ...eventExample.event, id: 'c1f0a7de-3b52-4b0b-9a53-6f1f0e6f2a77', created_at: 1767225660 },
};

/** Documents the partners' operations in OpenAPI. It serves no request: the gateway receives events, admission parses them. */
@ApiTags('Partner events')
@ApiBearerAuth('event-key')
@Controller('cdp/v1/users/events')
export class SendEventDocumentationController {
  @Post('send')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendUserEvent',
    summary: 'Send one event of a linked user',
    description:
      'Send every qualifying event of a linked user once it has happened, and earlier events right after linking. ' +
      'Retry every error with the same id, after Retry-After where it is given: an id that was handled before changes ' +
      'nothing and is answered 200. Bodies are JSON in UTF-8 of at most 64 KiB.',
  })
  @ApiBody({ type: SendEventDto, examples: { event: { value: eventExample } } })
  @ApiOkResponse({
    type: SendEventAnswerDto,
    description: 'The event is accepted, or was accepted before',
    headers: rateHeaders(),
  })
  @ApiErrors(sendEventCodes, { otherRetryOf: ['invalid_request'] })
  sendUserEvent(@Body() _event: SendEventDto): SendEventAnswerDto {
    throw new Error('documentation only');
  }

  @Post('batch')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendUserEventBatch',
    summary: 'Send several events in one request',
    description:
      'Each event has a result of its own, as if it had been sent alone: one that is refused keeps no other from being ' +
      'accepted. Each event counts against the rate; those above it have a result with status 429, and the others are ' +
      'accepted. A request with another status than 200 and 207 is retried as a whole. Bodies are JSON in UTF-8 of at most 1 MiB.',
  })
  @ApiBody({ type: SendEventBatchDto, examples: { events: { value: { events: [eventExample, laterExample] } } } })
  @ApiOkResponse({
    type: SendEventBatchAnswerDto,
    description: 'Every event is accepted, or was accepted before',
    headers: rateHeaders(),
  })
  @ApiResponse({
    status: 207,
    type: SendEventBatchAnswerDto,
    description: 'At least one event is not accepted; its result says why, and when a retry makes sense',
    headers: rateHeaders(),
  })
  @ApiErrors(batchCodes)
  sendUserEventBatch(@Body() _batch: SendEventBatchDto): SendEventBatchAnswerDto {
    throw new Error('documentation only');
  }

  @Post('validate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'validateUserEvent',
    summary: 'Check an event without sending it',
    description:
      'Makes all checks of a single event and reports every problem at once. Nothing is stored, and the same event can be ' +
      'sent afterwards. It counts against the rate. A body that is not JSON is a problem too, with status 200.',
  })
  @ApiBody({ type: SendEventDto, examples: { event: { value: eventExample } } })
  @ApiOkResponse({ type: EventReportDto, description: 'What sending the event would do', headers: rateHeaders() })
  @ApiErrors(batchCodes)
  validateUserEvent(@Body() _event: SendEventDto): EventReportDto {
    throw new Error('documentation only');
  }
}
