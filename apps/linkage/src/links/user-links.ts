import { CodedError } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ListedLink, hasUnlinkedLink, readUserLinks } from './link.store';
import { UserLinkReply, UserPartnerReply } from './me-links.dto';
import { PartnerIntegrationStore } from './partner-integration.store';
import { UserInfoChecks } from './user-info-checks';

/** A partner as its user sees it; only the page uses `paused`. */
export type UserPartner = UserPartnerReply & { readonly paused: boolean };

/** A user's partners with their links. */
export class UserLinks {
  constructor(
    private readonly db: Queryable,
    private readonly integrations: PartnerIntegrationStore,
    private readonly checks: UserInfoChecks,
  ) {}

  /** All partners by name, each with the user's link or null. */
  async list(userId: string): Promise<UserPartner[]> {
    const [partners, links] = await Promise.all([this.integrations.list(), readUserLinks(this.db, userId)]);
    return partners.map(({ integrationId, platform, displayName, status }) => ({
      integration_id: integrationId,
      platform,
      display_name: displayName,
      link: linkReply(links.find((link) => link.integrationId === integrationId)),
      paused: status === 'paused',
    }));
  }

  /** Whether the user was linked with a partner and the link has ended or is ending. */
  hasEnded(userId: string, integrationId: string): Promise<boolean> {
    return hasUnlinkedLink(this.db, userId, integrationId);
  }

  /** One partner; with `refresh` the partner's user info is read first. Throws `not_found`. */
  async get(userId: string, integrationId: string, refresh: boolean): Promise<UserPartner> {
    if (refresh) {
      const link = (await readUserLinks(this.db, userId)).find((row) => row.integrationId === integrationId);
      if (link) await this.checks.checkNow(link);
    }
    const partner = (await this.list(userId)).find((row) => row.integration_id === integrationId);
    if (!partner) throw new CodedError('not_found');
    return partner;
  }
}

function linkReply(link: ListedLink | undefined): UserLinkReply | null {
  if (!link) return null;
  return {
    link_id: link.linkId,
    state: link.state,
    nickname: link.nickname,
    problem: link.problem,
    refreshable: link.refreshable,
    linked_at: link.linkedAt.toISOString(),
    ready_at: link.readyAt?.toISOString() ?? null,
  };
}
