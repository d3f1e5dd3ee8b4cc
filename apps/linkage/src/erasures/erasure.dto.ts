import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IfGiven, IsOpaqueId, IsPlainText } from '@podium/runtime/http';

/** The user to erase: a user of the service, at one platform or all, or the user of an account at a partner. */
export class CreateErasureDto {
  @ApiPropertyOptional({ description: 'The user at the service; leave it out to name an account', maxLength: 255 })
  @IfGiven()
  @IsOpaqueId(255)
  user_id?: string;

  @ApiPropertyOptional({ description: 'Only at this platform; needed to name an account', maxLength: 255 })
  @IfGiven()
  @IsPlainText(255)
  platform?: string;

  @ApiPropertyOptional({ description: "The partner's user id, byte for byte, instead of user_id", maxLength: 255 })
  @IfGiven()
  @IsOpaqueId(255)
  platform_user_id?: string;
}

/** A service's progress with an erasure. */
export class ErasureServiceReply {
  @ApiProperty()
  service: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null until the service has applied it',
  })
  done_at: string | null;
}

/** An erasure; it names no user. */
export class ErasureReply {
  @ApiProperty({ format: 'uuid' })
  erasure_id: string;

  @ApiProperty({ enum: ['under_way', 'complete'] })
  state: 'under_way' | 'complete';

  @ApiProperty({
    format: 'date-time',
    description: 'Everything that belongs to earlier links is erased and permanently skipped',
  })
  erased_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;

  @ApiProperty({ type: 'integer', description: 'Links that were deleted, with their tokens' })
  links: number;

  @ApiProperty({ type: [ErasureServiceReply] })
  services: ErasureServiceReply[];
}
