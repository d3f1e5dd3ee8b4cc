import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LinkState } from '@podium/messages';
import { IfGiven, IsPlainText } from '@podium/runtime/http';
import { IsIn } from 'class-validator';
import { type LinkProblem, linkProblems } from './reauth-reason';

const states = ['linking', 'ready', 'refreshing', 'needs_reauth', 'unlinked'];

/** Body of a start. */
export class StartLinkDto {
  @ApiPropertyOptional({
    description: 'Where the last page links to; one of the addresses configured for this deployment',
  })
  @IfGiven()
  @IsPlainText(2048)
  return_to?: string;
}

/** Query of one link. */
export class UserLinkQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Read the user info at the partner first, at most once a minute, to update the nickname',
  })
  @IfGiven()
  @IsIn(['true', 'false'])
  refresh?: string;
}

/** Where to send the user. */
export class StartLinkReply {
  @ApiProperty({ description: "The partner's authorization page with all its parameters" })
  authorization_url: string;
}

/** A user's link with a partner. */
export class UserLinkReply {
  @ApiProperty({ format: 'uuid' })
  link_id: string;

  @ApiProperty({
    enum: states,
    description: '`unlinked` until every service has confirmed it; then there is no link',
  })
  state: LinkState;

  @ApiProperty()
  nickname: string;

  @ApiProperty({
    enum: linkProblems,
    nullable: true,
    description:
      'In `needs_reauth`: why only a log-in at the partner repairs the link; null if it is unknown. In other states ' +
      '`grant_state_unknown`: the partner did not answer a renewal, which is tried again',
  })
  problem: LinkProblem | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether the link renews itself; if not, the user must log in at the partner again from time to time',
  })
  refreshable: boolean | null;

  @ApiProperty({
    format: 'date-time',
    description: 'When the accounts were linked; a log-in that renews an active link keeps it',
  })
  linked_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When every service had the link',
  })
  ready_at: string | null;
}

/** A partner with the user's link. */
export class UserPartnerReply {
  @ApiProperty({ format: 'uuid' })
  integration_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  display_name: string;

  @ApiProperty({ type: UserLinkReply, nullable: true })
  link: UserLinkReply | null;
}

/** All partners of a user. */
export class UserPartnersReply {
  @ApiProperty({ type: [UserPartnerReply] })
  partners: UserPartnerReply[];
}

/** An unlinking in progress. */
export class UnlinkReply {
  @ApiProperty({ enum: ['unlinked'] })
  state: 'unlinked';

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null until every service has confirmed it',
  })
  unlinked_at: string | null;
}
