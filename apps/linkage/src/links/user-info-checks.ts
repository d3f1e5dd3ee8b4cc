import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { PartnerActivity } from '../activity/partner-activity';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerFailure, PartnerUser } from '@podium/partner-check/protocol/partner-result';
import { PartnerWaits } from '../partner-client/partner-waits';
import { SealBrokenError } from '../vault/vault';
import { AccessTokens, VersionedToken } from './access-tokens';
import { NeedsReauth } from './needs-reauth';
import { Link } from './link';
import { claimUserInfoCheck, readLink, saveNickname } from './link.store';
import { PartnerIntegrationStore } from './partner-integration.store';

/** The result of a check; `unavailable` also covers invalid responses of the partner. */
export type UserInfoCheck = 'current' | 'needs_reauth' | 'unavailable' | 'not_linked';

/** Users may request a check themselves once in this time. */
const askedEveryS = 60;
/** How long a user's request waits for the partner; then the current state is shown, and the check continues. */
const askedWithinMs = 6000;

/** Reads the user info of links: updates nicknames, and detects a link that the user ended at the partner. */
export class UserInfoChecks {
  /** At users' request, also those whose user is not waiting any more. */
  private readonly asked = new Set<Promise<void>>();

  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly accessTokens: AccessTokens;
      readonly needsReauth: NeedsReauth;
      readonly partnerClient: PartnerClient;
      readonly activity: PartnerActivity;
      readonly waits: PartnerWaits;
      readonly logger: Logger;
    },
  ) {}

  /** Checks one link at its user's request, at most once a minute; earlier requests are ignored. */
  async checkNow({ linkId, platform }: Pick<Link, 'linkId' | 'platform'>): Promise<void> {
    const leave = this.parts.waits.enter(platform);
    if (!leave) return;
    const checked = this.checkIfDue(linkId)
      .catch((error: unknown) => this.reportUnreadable(linkId, error))
      .finally(() => {
        this.asked.delete(checked);
        leave();
      });
    this.asked.add(checked);
    if ((await Deadline.within(askedWithinMs).orLate(checked)) === 'late')
      checked.catch((error: unknown) => this.parts.logger.warn({ link_id: linkId, err: error }, 'a check failed'));
  }

  /** Requests the user info from the partner; if the token is invalid, once more with a refreshed one. */
  async check(linkId: string): Promise<UserInfoCheck> {
    const link = await readLink(queryable(this.parts.pool), linkId);
    const partner = link && (await this.parts.integrations.get(link.integrationId));
    if (!link || !partner) return 'not_linked';
    const { accessTokens, partnerClient, activity } = this.parts;
    const record = activity.recorder(partner.integrationId, { linkId });
    let refused: VersionedToken | undefined;
    let answered: { readonly user: PartnerUser; readonly version: number } | undefined;
    // If a token that was just refreshed is invalid too, the fault is the partner's, which is no reason to end the link.
    for (let attempt = 0; attempt < 2 && answered === undefined; attempt++) {
      const token = await accessTokens.accessTokenFor(linkId, refused);
      if (!token.ok) return token.reason;
      if (token.originVersion !== partner.originVersion) return 'unavailable';
      const answer = await partnerClient.userInfo(partner.connection, token.accessToken, { record });
      if (!answer.ok && !isTokenRefused(answer)) return 'unavailable';
      if (answer.ok) answered = { user: answer.value, version: token.version };
      refused = token;
    }
    if (answered === undefined) return 'unavailable';
    const { user, version } = answered;
    // The tokens now belong to another account: the link must not silently move to it.
    if (user.sub !== link.sub) return this.otherAccount(link, version);
    await saveNickname(queryable(this.parts.pool), linkId, user.nickname);
    return 'current';
  }

  /** Waits for the checks that users have asked for: one that is cut off may lose the new tokens of a refresh. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.asked);
  }

  private async checkIfDue(linkId: string): Promise<void> {
    if (await claimUserInfoCheck(queryable(this.parts.pool), linkId, askedEveryS)) await this.check(linkId);
  }

  /** Tokens that this instance cannot decrypt are no fault of the user's request, which shows the link as it is. */
  private reportUnreadable(linkId: string, error: unknown): void {
    if (!(error instanceof SealBrokenError)) throw error;
    this.parts.logger.error(
      { link_id: linkId, err: error },
      'a link cannot be checked: its tokens cannot be decrypted',
    );
  }

  /** If the tokens of the answer were replaced meanwhile, it says nothing about the new ones. */
  private async otherAccount({ linkId }: Link, version: number): Promise<UserInfoCheck> {
    const marked = await this.parts.needsReauth.mark(linkId, 'other_account', { version });
    return marked ? 'needs_reauth' : 'unavailable';
  }
}

/** RFC 6750 3.1: the token is expired, revoked or malformed. Any other refusal is not about the token. */
function isTokenRefused({ status, partnerCode }: PartnerFailure): boolean {
  return status === 401 && partnerCode === 'invalid_token';
}
