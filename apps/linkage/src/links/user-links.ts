import { CodedError } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ListedLink, hasUnlinkedLink, readUserLinks } from './link.store';
import { UserLinkReply, UserPartnerReply } from './me-links.dto';
import { PartnerIntegrationStore, ShownIntegration } from './partner-integration.store';
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

  /** Partners by name, each with the user's link or null: the first 500, and all with which the user has a link. */
  async list(userId: string): Promise<UserPartner[]> {
    const links = await readUserLinks(this.db, userId);
    const partners = await this.integrations.list(links.map(({ integrationId }) => integrationId));
    return partners.map((partner) => userPartner(partner, links));
  }

  /** Whether the user was linked with a partner and the link has ended or is ending. */
  hasEnded(userId: string, integrationId: string): Promise<boolean> {
    return hasUnlinkedLink(this.db, userId, integrationId);
  }

  /** The partner with which the user's link has ended or is ending, listed or not; null if there was none, or there is another one. */
  async endedWith(userId: string, integrationId: string): Promise<UserPartner | null> {
    if (!(await this.hasEnded(userId, integrationId))) return null;
    const partner = await this.get(userId, integrationId, false);
    return partner.link === null || partner.link.state === 'unlinked' ? partner : null;
  }

  /** One partner; with `refresh` the partner's user info is read first. Throws `not_found`. */
  async get(userId: string, integrationId: string, refresh: boolean): Promise<UserPartner> {
    if (refresh) {
      const link = linkWith(integrationId, await readUserLinks(this.db, userId));
      if (link) await this.checks.checkNow(link);
    }
    const partner = await this.integrations.shown(integrationId);
    if (!partner) throw new CodedError('not_found');
    return userPartner(partner, await readUserLinks(this.db, userId));
  }
}

function userPartner(partner: ShownIntegration, links: readonly ListedLink[]): UserPartner {
  const { integrationId, platform, displayName, status } = partner;
  return {
    integration_id: integrationId,
    platform,
    display_name: displayName,
    link: linkReply(linkWith(integrationId, links)),
    paused: status === 'paused',
  };
}

function linkWith(integrationId: string, links: readonly ListedLink[]): ListedLink | undefined {
  return links.find((link) => link.integrationId === integrationId);
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
