import { ApiProperty } from '@nestjs/swagger';

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
}
