import { eventScopes, type EventScope } from '@podium/messages';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

/** One scope of an event key. */
export class EventKeyScopeDto {
  @ApiProperty({
    enum: eventScopes,
    description:
      '`events:send`: send and validate events; `events:read`: read the contract, refusals and what was accepted',
  })
  @IsIn(eventScopes)
  scope: EventScope;
}
