import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerFailure, PartnerUser } from '../partner-client/partner-result';
import { PartnerRoom } from '../partner-client/partner-room';
import { AccessTokens } from './access-tokens';
import { deleteExpiredFlows } from './flow.store';
import { Link } from './link';
import { claimUserInfoCheck, claimUserInfoChecks, readLink, saveNickname } from './link.store';
import { PartnerIntegrationStore } from './partner-integration.store';
import { readAbandonedRefreshes } from './token.store';

/** What a check found; `unavailable` also while the partner's answers make no sense. */
export type UserInfoCheck = 'current' | 'needs_reauth' | 'unavailable' | 'not_linked';

/** A nickname changed at the partner is shown here within about a day. */
const checkEveryS = 86_400;
/** Users may ask for a check themselves once in this time. */
const askedEveryS = 60;
/** How long a user who asks waits for the partner; then the present state is shown, and the check goes on. */
const askedWithinMs = 6000;
const perRound = 20;
const flowsPerRound = 10_000;
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
      readonly room: PartnerRoom;
      readonly logger: Logger;
    },
  ) {}

  /** One round of background work; any instance may do it, each link is claimed by one. */
  async run(signal: AbortSignal): Promise<void> {
    const db = queryable(this.parts.pool);
    await deleteExpiredFlows(db, flowsPerRound);
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
  async checkNow({ linkId, platform }: Pick<Link, 'linkId' | 'platform'>): Promise<void> {
    const leave = this.parts.room.enter(platform);
    if (!leave) return;
    const checked = this.checkIfDue(linkId).finally(leave);
    if ((await Deadline.within(askedWithinMs).orLate(checked)) === 'late')
      checked.catch((error: unknown) => this.parts.logger.warn({ link_id: linkId, err: error }, 'a check failed'));
  }

  /** Asks the partner who the user is; when it finds the token invalid, once more with a refreshed one. */
  async check(linkId: string): Promise<UserInfoCheck> {
    const link = await readLink(queryable(this.parts.pool), linkId);
    const partner = link && (await this.parts.integrations.get(link.integrationId));
    if (!link || !partner) return 'not_linked';
    const { accessTokens, partnerClient } = this.parts;
    let refused: string | undefined;
    let user: PartnerUser | undefined;
    // A token just refreshed that is found invalid too is a fault of the partner, and no reason to end the link.
    for (let attempt = 0; attempt < 2 && user === undefined; attempt++) {
      const token = await accessTokens.accessTokenFor(linkId, refused);
      if (!token.ok) return token.reason;
      if (token.originVersion !== partner.originVersion) return 'unavailable';
      const answer = await partnerClient.userInfo(partner.connection, token.accessToken);
      if (!answer.ok && !isTokenRefused(answer)) return 'unavailable';
      if (answer.ok) user = answer.value;
      refused = token.accessToken;
    }
    if (user === undefined) return 'unavailable';
    // The tokens now speak for another account: the link must not silently move to it.
    if (user.sub !== link.sub) return this.giveUp(link, 'the partner names another account');
    await saveNickname(queryable(this.parts.pool), linkId, user.nickname);
    return 'current';
  }

  private async checkIfDue(linkId: string): Promise<void> {
    if (await claimUserInfoCheck(queryable(this.parts.pool), linkId, askedEveryS)) await this.check(linkId);
  }

  private async giveUp(link: Link, why: string): Promise<UserInfoCheck> {
    await this.parts.accessTokens.giveUp(link.linkId, why);
    return 'needs_reauth';
  }
}

/** RFC 6750 3.1: the token is expired, revoked or malformed. Any other refusal says nothing about it. */
function isTokenRefused({ status, partnerCode }: PartnerFailure): boolean {
  return status === 401 && partnerCode === 'invalid_token';
}
