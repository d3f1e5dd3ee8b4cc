import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { eventRatePerSecond, maxBatchOf, mostBatchEvents } from '@podium/messages';
import { SendEventErrorDto } from './documented-errors';
import { SendEventAnswerDto } from './send-event-answer.dto';
import { SendEventDto } from './send-event.dto';

/** The body of `POST /cdp/v1/users/events/batch`. */
export class SendEventBatchDto {
  @ApiProperty({
    type: [SendEventDto],
    minItems: 1,
    maxItems: mostBatchEvents,
    description:
      `Bodies as a single event has them, of at most 64 KiB each. At most \`max_batch\`: ${maxBatchOf(eventRatePerSecond)} ` +
      `at the rate of ${eventRatePerSecond} events per second, and never more than ${mostBatchEvents}. ` +
      'Other fields beside it are ignored: at most 16, and 4 KiB of names and values together',
  })
  events: SendEventDto[];
}

/** What `send` would answer to one event of a batch. */
@ApiExtraModels(SendEventAnswerDto, SendEventErrorDto)
export class SendEventResultDto {
  @ApiProperty({
    type: 'integer',
    example: 200,
    description: 'The status that a request with this event alone would get',
  })
  status: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Whole seconds after which a retry of this event makes sense, as Retry-After of a single event',
  })
  retry_after?: number;

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(SendEventAnswerDto) }, { $ref: getSchemaPath(SendEventErrorDto) }],
    description:
      'The body that a request with this event alone would get: of a success with status 200, otherwise of an error',
  })
  body: SendEventAnswerDto | SendEventErrorDto;
}

/** Body of the response to a batch. */
export class SendEventBatchAnswerDto {
  @ApiProperty({
    type: [SendEventResultDto],
    minItems: 1,
    description: 'A result per event, in the order of the request',
  })
  results: SendEventResultDto[];
}
