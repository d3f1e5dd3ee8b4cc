import { Pool, queryable } from '@podium/runtime/postgres';
import { PartnerClient } from '../partner-client/partner-client';
import { AccessTokens } from './access-tokens';
import { deleteExpiredFlows } from './flow.store';
import { Link } from './link';
import { claimUserInfoCheck, claimUserInfoChecks, readLink, saveNickname } from './link.store';
import { PartnerIntegrationStore } from './partner-integration.store';
import { readAbandonedRefreshes } from './token.store';

/** What a check found. */
export type UserInfoCheck = 'current' | 'needs_reauth' | 'unavailable' | 'not_linked';

/** A nickname changed at the partner is shown here within about a day. */
const checkEveryS = 86_400;
/** Users may ask for a check themselves once in this time. */
const askedEveryS = 60;
const perRound = 20;
/** Longer than any refresh may take. */
const abandonedAfterS = 150;

/**
 * Reads the user info of links again once a day, so that nicknames stay right and a link that the user ended at the
 * partner is shown as such before anybody relies on it. Also picks up refreshes whose instance is gone.
 */
export class UserInfoChecks {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly accessTokens: AccessTokens;
      readonly partnerClient: PartnerClient;
    },
  ) {}

  /** One round of background work; any instance may do it, each link is claimed by one. */
  async run(signal: AbortSignal): Promise<void> {
    const db = queryable(this.parts.pool);
    await deleteExpiredFlows(db);
    for (const linkId of await readAbandonedRefreshes(db, abandonedAfterS, perRound)) {
      if (signal.aborted) return;
      await this.parts.accessTokens.recover(linkId);
    }
    for (const linkId of await claimUserInfoChecks(db, checkEveryS, perRound)) {
      if (signal.aborted) return;
      await this.check(linkId);
    }
  }

  /** Checks one link because its user asked; at most once a minute, else nothing is asked. */
  async checkNow(linkId: string): Promise<void> {
    if (await claimUserInfoCheck(queryable(this.parts.pool), linkId, askedEveryS)) await this.check(linkId);
  }

  /** Asks the partner who the user is; on 401 once more with a refreshed token. */
  async check(linkId: string): Promise<UserInfoCheck> {
    const link = await readLink(queryable(this.parts.pool), linkId);
    const partner = link && (await this.parts.integrations.get(link.integrationId));
    if (!link || !partner) return 'not_linked';
    const ask = (accessToken: string) => this.parts.partnerClient.userInfo(partner.connection, accessToken);
    const token = await this.parts.accessTokens.accessTokenFor(linkId);
    if (!token.ok) return token.reason;
    let user = await ask(token.accessToken);
    if (!user.ok && user.status === 401) {
      const fresh = await this.parts.accessTokens.accessTokenFor(linkId, token.accessToken);
      if (!fresh.ok) return fresh.reason;
      user = await ask(fresh.accessToken);
      if (!user.ok && user.status === 401) return this.giveUp(link, 'the partner refuses a token just refreshed');
    }
    if (!user.ok) return 'unavailable';
    // The tokens now speak for another account: the link must not silently move to it.
    if (user.value.sub !== link.sub) return this.giveUp(link, 'the partner names another account');
    await saveNickname(queryable(this.parts.pool), linkId, user.value.nickname);
    return 'current';
  }

  private async giveUp(link: Link, why: string): Promise<UserInfoCheck> {
    await this.parts.accessTokens.giveUp(link.linkId, why);
    return 'needs_reauth';
  }
}
