import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { queryable } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { secretLocations } from '../vault/secret-locations';
import { PartnerAccess } from './partner-access';
import { PartnerIntegration } from './partner-integration.store';
import { refreshDelayS } from './refresh-delay';
import { Revocation, confirmClaim, delayRevocation, deleteRevocation } from './revocation.store';

/**
 * Revokes the tokens of ended links at partners that can (RFC 7009). A refresh token ends its access tokens with it. While their
 * account is linked again they are not sent.
 */
export class TokenRevoker {
  private readonly revocations: Counter<'platform' | 'outcome'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly parts: PartnerAccess,
    registry: Registry,
  ) {
    this.revocations = new Counter({
      name: 'linkage_token_revocations_total',
      help: 'Revocations of tokens after an unlink by outcome: revoked, retried, given_up (the partner never confirmed it)',
      labelNames: ['platform', 'outcome'],
      registers: [registry],
    });
  }

  /** One attempt; a failure is repeated later, unless it was the last. */
  async revoke(revocation: Revocation): Promise<void> {
    const { pool, integrations, logger } = this.parts;
    const db = queryable(pool);
    const { revocationId, linkId, integrationId, originVersion, attempts, isLast } = revocation;
    const partner = await integrations.get(integrationId);
    // Tokens are sent only to the server that issued them.
    if (!partner || partner.originVersion !== originVersion) return deleteRevocation(db, revocationId);
    // A process that is paused after the look at the links must not send the token: the account may be linked again by then.
    const deadline = Deadline.within(partner.connection.profile.timeoutMs);
    const claim = await confirmClaim(db, revocation);
    if (claim === 'not_claimed') return;
    // A server with one grant per account would end that of the new link.
    if (claim === 'linked') return deleteRevocation(db, revocationId);
    const result = await this.send(partner, revocation, deadline);
    const outcome = result.ok ? 'revoked' : isLast ? 'given_up' : 'retried';
    this.revocations.inc({ platform: this.platforms.of(partner.platform), outcome });
    if (outcome === 'retried') return delayRevocation(db, revocation, refreshDelayS(attempts, result.retryAfterS));
    if (outcome === 'given_up')
      logger.warn({ link_id: linkId, attempts }, 'the tokens of an ended link could not be revoked at the partner');
    return deleteRevocation(db, revocationId);
  }

  /** Sends the token, unless this instance cannot decrypt it. */
  private async send(
    { integrationId, connection }: PartnerIntegration,
    { linkId, accessTokenEnc, refreshTokenEnc }: Revocation,
    deadline: Deadline,
  ): Promise<{ readonly ok: boolean; readonly retryAfterS?: number }> {
    const { vault, partnerClient, activity, logger } = this.parts;
    const [token, hint] =
      refreshTokenEnc === null
        ? ([vault.tryOpen(accessTokenEnc, secretLocations.accessToken(linkId)), 'access_token'] as const)
        : ([vault.tryOpen(refreshTokenEnc, secretLocations.refreshToken(linkId)), 'refresh_token'] as const);
    const record = activity.recorder(integrationId, { linkId });
    if (typeof token === 'string') return partnerClient.revoke(connection, token, hint, { deadline, record });
    logger.error({ link_id: linkId, err: token }, 'a token to revoke cannot be decrypted; nothing was sent');
    return { ok: false };
  }
}
