import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WarningCode } from '../event/event-warning';

const warningCodes: Readonly<Record<WarningCode, string>> = {
  value_not_parsed: 'a value does not parse as its negotiated type, and conditions treat it as absent',
  content_differs: 'the id was handled before with other content, which stays',
};

/** Something of an accepted event that its sender did not intend. */
export class EventWarningDto {
  // Not an enum: a client with a closed list of codes would fail on an accepted event, and send it again for ever.
  @ApiProperty({
    type: String,
    example: 'value_not_parsed' satisfies WarningCode,
    description: `${Object.entries(warningCodes)
      .map(([code, meaning]) => `${code}: ${meaning}`)
      .join('. ')}. Codes may be added; clients ignore those that they do not know`,
  })
  code: WarningCode;

  @ApiProperty({ example: 'event.attributes[0].value', description: 'The path of the field that it is about' })
  field: string;

  @ApiProperty({
    example:
      'event.attributes[0].value does not parse as boolean (true or false). The event is accepted; conditions treat this ' +
      'value as absent.',
    description: 'A sentence for a person, without the value',
  })
  message: string;
}

/** Body of a 200: the event was accepted, now or by an earlier request. */
export class SendEventAnswerDto {
  @ApiProperty({
    enum: ['accepted', 'duplicate'],
    description: 'duplicate: the id was handled before; nothing changed',
  })
  outcome: 'accepted' | 'duplicate';

  @ApiProperty({ example: '5b1f6c1e-9d0a-4f6e-8f6f-0a6f7b1c2d3e' })
  event_id: string;

  @ApiProperty({
    type: [String],
    description: 'Names of attributes that are not negotiated and were left out of the stored event',
    example: ['campaign'],
  })
  dropped_attributes: string[];

  @ApiPropertyOptional({
    type: [EventWarningDto],
    description:
      'What is unintended about the accepted event; missing when there is nothing. Fix the sender, not the event',
  })
  warnings?: EventWarningDto[];
}
