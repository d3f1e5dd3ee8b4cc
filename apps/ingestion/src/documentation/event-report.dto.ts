import { ApiProperty } from '@nestjs/swagger';
import { SendEventProblemDto } from './documented-errors';
import { EventWarningDto } from './send-event-answer.dto';

/** One reason why an event would be refused. */
export class EventProblemDto extends SendEventProblemDto {
  @ApiProperty({
    example: 'event.created_at',
    description: 'The path of the field at fault; empty for the body as a whole',
  })
  field: string;
}

/** Body of the response to a validation: what `send` would do with the event. */
export class EventReportDto {
  @ApiProperty({ description: 'Whether no check fails' })
  valid: boolean;

  @ApiProperty({
    description: 'Whether the id was handled before: sending the event is answered 200 and changes nothing',
  })
  duplicate: boolean;

  @ApiProperty({
    type: [EventProblemDto],
    description: 'Everything for which the event would be refused; at most the first 100',
  })
  problems: EventProblemDto[];

  @ApiProperty({
    type: [String],
    description: 'Names of attributes that are not negotiated and would be left out, among the first 100',
    example: ['campaign'],
  })
  dropped_attributes: string[];

  @ApiProperty({
    type: [EventWarningDto],
    description: 'What is unintended about the event, without being refused; of attributes, about the first 100',
  })
  warnings: EventWarningDto[];
}
