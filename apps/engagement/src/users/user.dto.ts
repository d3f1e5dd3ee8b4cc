import { ApiProperty } from '@nestjs/swagger';

/** The user's present or last link at the platform. */
export class UserLinkReply {
  @ApiProperty()
  platform_user_id: string;

  @ApiProperty()
  state: string;

  @ApiProperty({ format: 'date-time' })
  linked_at: string;
}

/** A segment that the user is or was in. */
export class UserMembershipReply {
  @ApiProperty({ format: 'uuid' })
  segment_id: string;

  @ApiProperty({ type: 'integer' })
  segment_version: number;

  @ApiProperty()
  member: boolean;

  @ApiProperty({ format: 'date-time' })
  changed_at: string;

  @ApiProperty({ enum: ['event', 'time', 'link', 'definition'] })
  reason: string;
}

/** Stored events of one name. */
export class StoredEventsReply {
  @ApiProperty()
  name: string;

  @ApiProperty({ type: 'integer', description: 'At most 500 per month; tasks count further events too' })
  stored: number;

  @ApiProperty({ format: 'date-time' })
  oldest_at: string;

  @ApiProperty({ format: 'date-time' })
  newest_at: string;
}

/** The state of a user at one platform. */
export class UserReply {
  @ApiProperty()
  platform: string;

  @ApiProperty()
  user_id: string;

  @ApiProperty({ type: UserLinkReply, nullable: true, description: 'Null until this service knows the link' })
  link: UserLinkReply | null;

  @ApiProperty({ type: [UserMembershipReply] })
  memberships: UserMembershipReply[];

  @ApiProperty({ type: 'integer', description: 'Awards issued; list them with /admin/v1/awards' })
  awards: number;

  @ApiProperty({ type: [StoredEventsReply] })
  stored_events: StoredEventsReply[];
}
