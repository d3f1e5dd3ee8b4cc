import { CodedError } from '@podium/messages';
import { Operator, visibleOrganizers } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { UserReply } from './user.dto';
import { UserRow, countStoredEvents, findUser, listMemberships } from './user.queries';

/** Shows the state of a user. */
export class UsersService {
  constructor(private readonly db: Queryable) {}

  /** Throws `not_found` for an unknown user and for one whose organizer the operator may not see. */
  async show(operator: Operator, platform: string, userId: string): Promise<UserReply> {
    const user = await findUser(this.db, platform, userId);
    if (!user || !maySee(operator, user)) throw new CodedError('not_found');
    const memberships = await listMemberships(this.db, user.user_ref);
    const stored = await countStoredEvents(this.db, user.user_ref);
    return {
      platform,
      user_id: userId,
      link: linkOf(user),
      memberships: memberships.map((row) => ({ ...row, changed_at: isoTime(row.changed_at) })),
      awards: user.awards,
      stored_events: stored.map((row) => ({
        ...row,
        oldest_at: isoTime(row.oldest_at),
        newest_at: isoTime(row.newest_at),
      })),
    };
  }
}

function maySee(operator: Operator, user: UserRow): boolean {
  const organizers = visibleOrganizers(operator);
  return organizers === 'all' || (user.organizer_id !== null && organizers.includes(user.organizer_id));
}

function linkOf(user: UserRow): UserReply['link'] {
  if (user.platform_user_id === null || user.link_state === null || user.linked_at === null) return null;
  return { platform_user_id: user.platform_user_id, state: user.link_state, linked_at: isoTime(user.linked_at) };
}

function isoTime(atS: number): string {
  return new Date(atS * 1000).toISOString();
}
