import { Operator, keyInCursor, pageOf, visibleOrganizers } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { AdminLinkReply, AdminLinksPageReply, AdminLinksQuery } from './admin-links.dto';
import { ListedLink, readLinksPage } from './link.store';

/** Links as operators may see them: those of their organizers. */
export class AdminLinks {
  constructor(private readonly db: Queryable) {}

  /** Links by id; unlinked ones stay visible with their times. */
  async list(operator: Operator, query: AdminLinksQuery): Promise<AdminLinksPageReply> {
    const [after] = keyInCursor(query.cursor, ['uuid']) ?? [null];
    const rows = await readLinksPage(this.db, {
      organizers: visibleOrganizers(operator),
      platform: query.platform ?? null,
      userId: query.user_id ?? null,
      sub: query.platform_user_id ?? null,
      after,
      limit: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.linkId], replyOf);
  }
}

function replyOf(link: ListedLink): AdminLinkReply {
  return {
    link_id: link.linkId,
    integration_id: link.integrationId,
    platform: link.platform,
    organizer_id: link.organizerId,
    user_id: link.userId,
    platform_user_id: link.sub,
    nickname: link.nickname,
    state: link.state,
    problem: link.problem,
    refreshable: link.refreshable,
    linked_at: link.linkedAt.toISOString(),
    ready_at: link.readyAt?.toISOString() ?? null,
    unlinked_at: link.unlinkedAt?.toISOString() ?? null,
  };
}
