import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LinkState } from '@podium/messages';
import { IfGiven, IsOpaqueId, UserPageQuery } from '@podium/runtime/http';
import { type LinkProblem, linkProblems } from './reauth-reason';

/** Filters of the list of links. */
export class AdminLinksQuery extends UserPageQuery {
  @ApiPropertyOptional({ description: "Only this partner's user id, byte for byte" })
  @IfGiven()
  @IsOpaqueId(255)
  platform_user_id?: string;
}

/** A link as operators see it. */
export class AdminLinkReply {
  @ApiProperty({ format: 'uuid' })
  link_id: string;

  @ApiProperty({ format: 'uuid' })
  integration_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  organizer_id: string;

  @ApiProperty()
  user_id: string;

  @ApiProperty()
  platform_user_id: string;

  @ApiProperty()
  nickname: string;

  @ApiProperty({ enum: ['linking', 'ready', 'refreshing', 'needs_reauth', 'unlinked'] })
  state: LinkState;

  @ApiProperty({
    enum: linkProblems,
    nullable: true,
    description:
      'In `needs_reauth`: why only a log-in repairs the link; null if it is unknown. In other states ' +
      '`grant_state_unknown`: answers to refreshes were lost, and the same refresh token will be sent again',
  })
  problem: LinkProblem | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description:
      'Whether the partner gave a refresh token; without one the user must log in again when the access token ends. ' +
      'Null when the link has no tokens',
  })
  refreshable: boolean | null;

  @ApiProperty({ format: 'date-time' })
  linked_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ready_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  unlinked_at: string | null;
}

/** A page of links. */
export class AdminLinksPageReply {
  @ApiProperty({ type: [AdminLinkReply] })
  items: AdminLinkReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
