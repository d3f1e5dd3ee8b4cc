import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerFailure, PartnerUser } from '../partner-client/partner-result';
import { PartnerWaits } from '../partner-client/partner-waits';
import { AccessTokens } from './access-tokens';
import { deleteExpiredFlows } from './flow.store';
import { Link } from './link';
import { claimUserInfoCheck, claimUserInfoChecks, readLink, saveNickname } from './link.store';
import { PartnerIntegrationStore } from './partner-integration.store';
import { readAbandonedRefreshes } from './refresh-claim.store';

/** The result of a check; `unavailable` also covers invalid responses of the partner. */
export type UserInfoCheck = 'current' | 'needs_reauth' | 'unavailable' | 'not_linked';

/** A nickname changed at the partner appears here within about a day. */
const checkEveryS = 86_400;
/** Users may request a check themselves once in this time. */
const askedEveryS = 60;
/** How long a user's request waits for the partner; then the current state is shown, and the check continues. */
const askedWithinMs = 6000;
const perRound = 20;
const flowsPerRound = 10_000;
/** Longer than any refresh may take. */
const abandonedAfterS = 150;

/**
 * Re-reads the user info of links once a day, so that nicknames stay correct and a link that the user ended at the partner
 * is detected early. Also recovers refreshes whose instance has stopped.
 */
export class UserInfoChecks {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly accessTokens: AccessTokens;
      readonly partnerClient: PartnerClient;
      readonly waits: PartnerWaits;
      readonly logger: Logger;
    },
  ) {}

  /** Runs one round of background work; any instance may do it, and each link is claimed by one instance. */
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

  /** Checks one link at its user's request, at most once a minute; earlier requests are ignored. */
  async checkNow({ linkId, platform }: Pick<Link, 'linkId' | 'platform'>): Promise<void> {
    const leave = this.parts.waits.enter(platform);
    if (!leave) return;
    const checked = this.checkIfDue(linkId).finally(leave);
    if ((await Deadline.within(askedWithinMs).orLate(checked)) === 'late')
      checked.catch((error: unknown) => this.parts.logger.warn({ link_id: linkId, err: error }, 'a check failed'));
  }

  /** Requests the user info from the partner; if the token is invalid, once more with a refreshed one. */
  async check(linkId: string): Promise<UserInfoCheck> {
    const link = await readLink(queryable(this.parts.pool), linkId);
    const partner = link && (await this.parts.integrations.get(link.integrationId));
    if (!link || !partner) return 'not_linked';
    const { accessTokens, partnerClient } = this.parts;
    let refused: string | undefined;
    let user: PartnerUser | undefined;
    // If a token that was just refreshed is invalid too, the fault is the partner's, which is no reason to end the link.
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
    // The tokens now belong to another account: the link must not silently move to it.
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

/** RFC 6750 3.1: the token is expired, revoked or malformed. Any other refusal is not about the token. */
function isTokenRefused({ status, partnerCode }: PartnerFailure): boolean {
  return status === 401 && partnerCode === 'invalid_token';
}
