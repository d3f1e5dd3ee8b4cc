import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { PartnerActivity } from '../activity/partner-activity';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerWaits } from '../partner-client/partner-waits';
import { tokenToRevoke } from '../partner-client/token-to-revoke';
import { PartnerResult, TokenSet, failure } from '@podium/partner-check/protocol/partner-result';
import { userDigest } from './erased-users.queries';
import { hasLink, isLinked } from './linked-accounts.store';
import { PartnerIntegration } from './partner-integration.store';

/** Tokens of a log-in at a partner that made no link. */
export interface UnusedTokens {
  readonly tokens: TokenSet;
  /** Who logged in. */
  readonly userId: string;
  /** The account at the partner; null when it is not known. */
  readonly sub: string | null;
}

/** The user waits for it. */
const revokedWithinMs = 2000;

/**
 * Revokes the tokens of a log-in that made no link, at partners that can (RFC 7009): nobody has them any more, and the grant would
 * stay valid. Once, and before the page is sent: the user may connect the account right after it, and at a server that keeps one
 * grant per account a later revocation would end the grant of that link. For the same reason not while the account may be linked.
 */
export class RevokeUnused {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly partnerClient: PartnerClient;
      readonly waits: PartnerWaits;
      readonly activity: PartnerActivity;
      readonly logger: Logger;
    },
  ) {}

  /** Never throws; a failure is logged and not tried again. It ends by the deadline. */
  async revoke(partner: PartnerIntegration, unused: UnusedTokens, deadline: Deadline): Promise<void> {
    if (partner.connection.profile.revocationPath === null) return;
    const fields = { integration_id: partner.integrationId };
    const notRevoked = 'the tokens of a log-in that made no link could not be revoked at the partner';
    try {
      if (await this.mayBeLinked(partner, unused)) return;
      const revoked = await this.ask(partner, unused, Deadline.within(Math.min(revokedWithinMs, deadline.leftMs())));
      if (!revoked.ok) this.parts.logger.info({ ...fields, reason: revoked.reason }, notRevoked);
    } catch (error) {
      this.parts.logger.warn({ ...fields, err: error }, notRevoked);
    }
  }

  /** The account, or, while it is not known, any account of the user at the partner. */
  private mayBeLinked({ platform }: PartnerIntegration, { userId, sub }: UnusedTokens): Promise<boolean> {
    const db = queryable(this.parts.pool);
    return sub === null ? hasLink(db, { platform, userId }) : isLinked(db, { platform, sub });
  }

  private async ask(
    { connection, integrationId, platform }: PartnerIntegration,
    { tokens, userId }: UnusedTokens,
    deadline: Deadline,
  ): Promise<PartnerResult<null>> {
    const { partnerClient, waits, activity } = this.parts;
    const leave = waits.enter(platform);
    if (!leave) return failure('unavailable', 'too many users wait for slow partners');
    const record = activity.recorder(integrationId, { userDigest: userDigest({ platform, userId }) });
    try {
      return await partnerClient.revoke(connection, ...tokenToRevoke(tokens), { deadline, record });
    } finally {
      leave();
    }
  }
}
