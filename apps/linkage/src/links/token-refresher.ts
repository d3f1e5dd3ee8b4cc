import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { inTransaction } from '@podium/runtime/postgres';
import { lockLink, saveState } from './link.store';
import { PartnerAccess } from './partner-access';
import { PartnerIntegration } from './partner-integration.store';
import { sealTokens } from './seal-tokens';
import { StoredTokens } from './token.store';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { secretLocations } from '../vault/secret-locations';
import { keepRefreshed } from './keep-refreshed';
import { NeedsReauth } from './needs-reauth';
import { ReauthReason } from './reauth-reason';
import { RefreshAnswer, classifyRefresh, isLostInTransit } from './refresh-answer';
import { RefreshClaim, claimRefresh, endRefresh, extendClaim, leaseS } from './refresh-claim.store';
import { refreshDelayS } from './refresh-delay';
import { RefreshAttempt, beginAttempt, endAttempt, recordAbandoned } from './refresh-journal.store';

const timeline = new OutboxTimelineStore('linkage');

/** The result of one refresh; `held` means that another instance is refreshing. */
export type Refreshed = 'refreshed' | 'held' | 'needs_reauth' | 'unavailable';

/** A refresh under way: its claim, the partner, and the token to send, sealed. */
interface Refreshing extends RefreshClaim {
  readonly partner: PartnerIntegration;
  readonly refreshTokenEnc: string;
}

/** An answer that leaves the link as it is. */
type UnsettledAnswer = Extract<RefreshAnswer, { kind: 'unused' | 'lost' }>;

/**
 * Refreshes a link's tokens, one refresh per link at a time over all instances. The journal has a row before the token is
 * sent, and it is closed in the transaction that stores the new pair, which is before the pair is used. After a lost answer,
 * by a crash too, the token that was sent is sent once more, because partners allow that for a while. The generation
 * before it is never sent: a partner that detects reuse answers by ending the grant.
 */
export class TokenRefresher {
  private readonly refreshes: Counter<'platform' | 'outcome'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly parts: PartnerAccess & {
      readonly needsReauth: NeedsReauth;
      /** Unique among live instances. */
      readonly instance: string;
    },
    registry: Registry,
  ) {
    this.refreshes = new Counter({
      name: 'linkage_token_refreshes_total',
      help: 'Refreshes of access tokens by outcome: refreshed, needs_reauth, unavailable, lost (sent, no answer arrived)',
      labelNames: ['platform', 'outcome'],
      registers: [registry],
    });
  }

  /** Refreshes the tokens that were read; `refreshed` also when others have replaced them meanwhile. */
  async refresh(stored: StoredTokens): Promise<Refreshed> {
    const partner = await this.parts.integrations.get(stored.integrationId);
    if (!partner) return 'unavailable';
    const { linkId, version, refreshTokenEnc } = stored;
    if (stored.originVersion !== partner.originVersion) return this.giveUp(stored, partner, 'partner_moved');
    if (refreshTokenEnc === null) return this.giveUp(stored, partner, 'no_refresh_token');
    const refreshing = { linkId, version, instance: this.parts.instance, partner, refreshTokenEnc };
    const attempt = await this.begin(refreshing);
    if (!attempt) return 'held';
    const answer = await this.send(refreshing);
    // After an answer that was lost before, this was the one more time.
    if (!isLostInTransit(answer) || attempt.lostBefore > 0) return this.settle(refreshing, attempt, answer);
    const second = await this.beginAgain(refreshing, attempt);
    if (!second) return 'refreshed';
    return this.settle(refreshing, second, await this.send(refreshing));
  }

  private begin(refreshing: Refreshing): Promise<RefreshAttempt | null> {
    const { timeoutMs } = refreshing.partner.connection.profile;
    return inTransaction(this.parts.pool, async (tx) => {
      // What the partner answers could not be stored while the outbox is closed.
      await timeline.require(tx);
      const link = await lockLink(tx, refreshing.linkId);
      if (!link || link.state === 'unlinked' || link.state === 'needs_reauth') return null;
      const claimed = await claimRefresh(tx, refreshing, leaseS(timeoutMs));
      if (!claimed) return null;
      if (link.state === 'ready') await saveState(tx, link, 'refreshing');
      if (claimed.abandoned) await recordAbandoned(tx, { ...refreshing, ...claimed.abandoned });
      return beginAttempt(tx, refreshing);
    });
  }

  /** Closes an attempt as lost and opens another with the same token; null when the claim is gone, as after an unlink. */
  private beginAgain(refreshing: Refreshing, lost: RefreshAttempt): Promise<RefreshAttempt | null> {
    this.count(refreshing.partner, 'lost');
    return inTransaction(this.parts.pool, async (tx) => {
      await lockLink(tx, refreshing.linkId);
      await endAttempt(tx, lost.refreshId, 'lost');
      return (await extendClaim(tx, refreshing)) ? beginAttempt(tx, refreshing) : null;
    });
  }

  private async send({ linkId, partner, refreshTokenEnc }: Refreshing): Promise<RefreshAnswer> {
    const { partnerClient, vault, activity } = this.parts;
    const refreshToken = vault.open(refreshTokenEnc, secretLocations.refreshToken(linkId));
    const record = activity.recorder(partner.integrationId, { linkId });
    return classifyRefresh(await partnerClient.refresh(partner.connection, refreshToken, { record }));
  }

  private async settle(refreshing: Refreshing, attempt: RefreshAttempt, answer: RefreshAnswer): Promise<Refreshed> {
    if (answer.kind === 'refreshed') return this.store(refreshing, attempt, answer.tokens);
    if (answer.kind !== 'ended') return this.retryLater(refreshing, attempt, answer);
    const { linkId, version, partner } = refreshing;
    // A partner that rotated and whose answer was lost refuses the former token with the same code.
    const reason = attempt.lostBefore > 0 ? 'refresh_answer_lost' : 'grant_ended';
    const marked = await this.parts.needsReauth.mark(linkId, reason, { version, refreshId: attempt.refreshId });
    if (!marked) return 'refreshed';
    this.count(partner, 'needs_reauth');
    return 'needs_reauth';
  }

  private async store(refreshing: Refreshing, attempt: RefreshAttempt, tokens: TokenSet): Promise<Refreshed> {
    const { linkId, partner } = refreshing;
    const sealed = sealTokens(this.parts.vault, linkId, tokens, partner.connection.profile.accessTokenLifetimeS);
    const pair = { claim: refreshing, refreshId: attempt.refreshId, tokens: sealed, partner };
    const kept = await keepRefreshed(this.parts, pair);
    const fields = { link_id: linkId, lost_before: attempt.lostBefore };
    if (kept !== 'stored')
      this.parts.logger.info({ ...fields, pair: kept }, 'refreshed tokens came too late and were not stored');
    else if (attempt.lostBefore > 0) this.parts.logger.info(fields, 'a refresh was repaired after a lost answer');
    this.count(partner, 'refreshed');
    return 'refreshed';
  }

  private async retryLater(
    refreshing: Refreshing,
    { refreshId, lostBefore, sentBefore }: RefreshAttempt,
    { kind, failure }: UnsettledAnswer,
  ): Promise<Refreshed> {
    const { linkId, partner } = refreshing;
    const retryInS = refreshDelayS(sentBefore, failure.retryAfterS);
    await inTransaction(this.parts.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      await endAttempt(tx, refreshId, kind);
      if (!link || !(await endRefresh(tx, refreshing, { retryInS, retryAfterS: failure.retryAfterS }))) return;
      if (link.state === 'refreshing') await saveState(tx, link, 'ready');
    });
    const lost = lostBefore + (kind === 'lost' ? 1 : 0);
    const fields = { link_id: linkId, reason: failure.reason, answer: kind, lost, retry_in_s: Math.round(retryInS) };
    const message =
      lost > 0 && sentBefore > 0
        ? 'grant_state_unknown: answers to a refresh were lost; the same token will be sent again'
        : 'an access token could not be refreshed; will retry';
    this.parts.logger.warn(fields, message);
    this.count(partner, kind === 'lost' ? 'lost' : 'unavailable');
    return 'unavailable';
  }

  private async giveUp(
    { linkId, version }: StoredTokens,
    partner: PartnerIntegration,
    reason: ReauthReason,
  ): Promise<Refreshed> {
    if (await this.parts.needsReauth.mark(linkId, reason, { version })) this.count(partner, 'needs_reauth');
    return 'needs_reauth';
  }

  private count({ platform }: PartnerIntegration, outcome: Exclude<Refreshed, 'held'> | 'lost'): void {
    this.refreshes.inc({ platform: this.platforms.of(platform), outcome });
  }
}
