import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { Deadline } from '../partner-client/deadline';
import { Link } from './link';
import { lockLink, saveState } from './link.store';
import { PartnerAccess } from './partner-access';
import { PartnerIntegration } from './partner-integration.store';
import { sealTokens } from './seal-tokens';
import { StoredTokens } from './token.store';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { secretLocations } from '../vault/secret-locations';
import { SealBrokenError } from '../vault/vault';
import { keepRefreshed } from './keep-refreshed';
import { NeedsReauth } from './needs-reauth';
import { ReauthReason } from './reauth-reason';
import { RefreshAnswer, classifyRefresh, isLostInTransit } from './refresh-answer';
import { RefreshClaim, claimRefresh, endRefresh, extendClaim, leaseS } from './refresh-claim.store';
import { refreshDelayS } from './refresh-delay';
import { RefreshAttempt, beginAttempt, endAttempt, recordAbandoned } from './refresh-journal.store';

const timeline = new OutboxTimelineStore('linkage');

/** A token that this instance cannot decrypt, for want of a key perhaps, is tried again after this time, seconds. */
const unreadableRetryS = 300;

/**
 * The result of one refresh; `held` means that another instance is refreshing, `unreadable` that this one cannot decrypt the
 * refresh token, which says nothing of the partner.
 */
export type Refreshed = 'refreshed' | 'held' | 'needs_reauth' | 'unavailable' | 'unreadable';

/** What is counted of a refresh; `lost` means that it was sent and no answer arrived. */
const countedOutcomes = ['refreshed', 'needs_reauth', 'unavailable', 'lost'] as const;

type CountedOutcome = (typeof countedOutcomes)[number];

/** A refresh under way: its claim and the partner. */
interface Refreshing extends RefreshClaim {
  readonly partner: PartnerIntegration;
}

/** An attempt, and until when its claim is certainly this instance's own: for its lease, from before the claim. */
interface HeldAttempt extends RefreshAttempt {
  readonly until: Deadline;
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
    this.showOutcomes(partner);
    const { linkId, version, refreshTokenEnc } = stored;
    if (stored.originVersion !== partner.originVersion) return this.giveUp(stored, partner, 'partner_moved');
    if (refreshTokenEnc === null) return this.giveUp(stored, partner, 'no_refresh_token');
    const refreshing = { linkId, version, instance: this.parts.instance, partner };
    // Before the claim: one that can send nothing would keep off an instance that can.
    const refreshToken = this.parts.vault.tryOpen(refreshTokenEnc, secretLocations.refreshToken(linkId));
    if (typeof refreshToken !== 'string') return this.postpone(refreshing, refreshToken);
    const attempt = await this.begin(refreshing);
    if (!attempt) return 'held';
    const answer = await this.send(refreshing, refreshToken, attempt.until);
    // After an answer that was lost before, this was the one more time.
    if (!isLostInTransit(answer) || attempt.lostBefore > 0) return this.settle(refreshing, attempt, answer);
    const second = await this.beginAgain(refreshing, attempt);
    if (!second) return 'refreshed';
    return this.settle(refreshing, second, await this.send(refreshing, refreshToken, second.until));
  }

  private begin(refreshing: Refreshing): Promise<HeldAttempt | null> {
    return this.held(refreshing, async (tx) => {
      const link = await this.claim(tx, refreshing);
      if (!link) return null;
      if (link.state === 'ready') await saveState(tx, link, 'refreshing');
      return beginAttempt(tx, refreshing);
    });
  }

  /** Opens an attempt by a transaction that claims its refresh, or extends the claim; null when there is none. */
  private async held(
    { partner }: Refreshing,
    open: (tx: Queryable) => Promise<RefreshAttempt | null>,
  ): Promise<HeldAttempt | null> {
    const until = Deadline.within(leaseS(partner.connection.profile.timeoutMs) * 1000);
    const attempt = await inTransaction(this.parts.pool, open);
    return attempt && { ...attempt, until };
  }

  /** Claims the refresh of a link, which is locked; null when it is held or not to be refreshed. */
  private async claim(tx: Queryable, refreshing: Refreshing): Promise<Link | null> {
    // What the partner answers could not be stored while the outbox is closed.
    await timeline.require(tx);
    const link = await lockLink(tx, refreshing.linkId);
    if (!link || link.state === 'unlinked' || link.state === 'needs_reauth') return null;
    const claimed = await claimRefresh(tx, refreshing, leaseS(refreshing.partner.connection.profile.timeoutMs));
    if (claimed?.kind === 'given_up') await recordAbandoned(tx, { ...refreshing, ...claimed.owner });
    return claimed?.kind === 'claimed' ? link : null;
  }

  /** Leaves the link for later. What a stopped instance left open ends, but for its row in the journal: its answer is unknown. */
  private async postpone(refreshing: Refreshing, error: SealBrokenError): Promise<Refreshed> {
    const later = { retryInS: unreadableRetryS, retryAfterS: unreadableRetryS };
    const isPostponed = await inTransaction(this.parts.pool, async (tx) => {
      const link = await this.claim(tx, refreshing);
      if (!link) return false;
      if (link.state === 'refreshing') await saveState(tx, link, 'ready');
      return endRefresh(tx, refreshing, later);
    });
    if (!isPostponed) return 'held';
    const fields = { link_id: refreshing.linkId, err: error, retry_in_s: unreadableRetryS };
    this.parts.logger.error(fields, 'a refresh token cannot be decrypted; nothing was sent');
    return 'unreadable';
  }

  /** Closes an attempt as lost and opens another with the same token; null when the claim is gone, as after an unlink. */
  private beginAgain(refreshing: Refreshing, lost: RefreshAttempt): Promise<HeldAttempt | null> {
    this.count(refreshing.partner, 'lost');
    return this.held(refreshing, async (tx) => {
      await lockLink(tx, refreshing.linkId);
      await endAttempt(tx, lost.refreshId, 'lost');
      return (await extendClaim(tx, refreshing)) ? beginAttempt(tx, refreshing) : null;
    });
  }

  /** Sends nothing after `deadline`: this instance may have been paused, and another may have replaced the token since. */
  private async send(
    { linkId, partner }: Refreshing,
    refreshToken: string,
    deadline: Deadline,
  ): Promise<RefreshAnswer> {
    const { partnerClient, activity } = this.parts;
    const record = activity.recorder(partner.integrationId, { linkId });
    return classifyRefresh(await partnerClient.refresh(partner.connection, refreshToken, { deadline, record }));
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
    // Others have ended, marked or renewed the link.
    if (!(await this.parts.needsReauth.mark(linkId, reason, { version }))) return 'held';
    this.count(partner, 'needs_reauth');
    return 'needs_reauth';
  }

  /**
   * Initializes a platform's outcomes at 0: alert rules miss the first increment of a series that begins with it. Those before the first
   * scrape of a platform they still miss.
   */
  private showOutcomes({ platform }: PartnerIntegration): void {
    this.parts.needsReauth.showReasons(platform);
    for (const outcome of countedOutcomes) this.refreshes.inc({ platform: this.platforms.of(platform), outcome }, 0);
  }

  private count({ platform }: PartnerIntegration, outcome: CountedOutcome): void {
    this.refreshes.inc({ platform: this.platforms.of(platform), outcome });
  }
}
