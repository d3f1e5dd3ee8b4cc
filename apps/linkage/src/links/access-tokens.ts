import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { BoundedLabel, Counter, Registry } from '@podium/runtime/metrics';
import { appendAudit } from '../audit/audit.store';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerFailure, PartnerResult, TokenSet } from '../partner-client/partner-result';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { lockLink, saveState } from './link.store';
import { PartnerIntegration, PartnerIntegrationStore } from './partner-integration.store';
import { sealTokens } from './seal-tokens';
import { ClaimedRefresh, claimRefresh, endRefresh, saveRefreshed } from './refresh-claim.store';
import { StoredTokens, readTokens } from './token.store';

/** An access token for a link's partner, or the reason why there is none. */
export type AccessToken =
  | { readonly ok: true; readonly accessToken: string; readonly originVersion: number }
  | { readonly ok: false; readonly reason: 'not_linked' | 'needs_reauth' | 'unavailable' };

/** The result of one attempt to refresh; `held` means that another instance is refreshing. */
type Refreshed = 'refreshed' | 'held' | 'needs_reauth' | 'unavailable';

const waitForOthersMs = 20_000;

const movedAway = 'the partner has moved to another address since';

/**
 * Access tokens of links, refreshed when due or refused. One refresh per link at a time over all instances: a claim with a
 * version as fence is written before the partner is called (`refresh-claim.store.ts`), and the new pair is stored before it
 * is used, because two refreshes with one token end the grant at a server that rotates.
 */
export class AccessTokens {
  private readonly refreshes: Counter<'platform' | 'outcome'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly vault: Vault;
      readonly partnerClient: PartnerClient;
      readonly logger: Logger;
      /** Unique among live instances. */
      readonly instance: string;
    },
    registry: Registry,
  ) {
    this.refreshes = new Counter({
      name: 'linkage_token_refreshes_total',
      help: 'Refreshes of access tokens by outcome: refreshed, needs_reauth, unavailable',
      labelNames: ['platform', 'outcome'],
      registers: [registry],
    });
  }

  /** A token to use now; `refused` is one that the partner has just refused with 401, so another is needed. */
  async accessTokenFor(linkId: string, refused?: string): Promise<AccessToken> {
    const untilMs = Date.now() + waitForOthersMs;
    for (;;) {
      const stored = await readTokens(queryable(this.parts.pool), linkId);
      if (!stored || stored.state === 'unlinked') return { ok: false, reason: 'not_linked' };
      if (stored.state === 'needs_reauth') return { ok: false, reason: 'needs_reauth' };
      if (stored.moved) {
        await this.giveUp(linkId, movedAway, stored.version);
        return { ok: false, reason: 'needs_reauth' };
      }
      const accessToken = this.parts.vault.open(stored.accessTokenEnc, secretLocations.accessToken(linkId));
      // Without a refresh token only the partner's 401 shows that it expired: the lifetime is an assumption.
      const usable = refused === undefined ? !stored.due || stored.refreshTokenEnc === null : accessToken !== refused;
      if (usable) return { ok: true, accessToken, originVersion: stored.originVersion };
      const refreshed = await this.refresh(stored);
      if (refreshed === 'needs_reauth' || refreshed === 'unavailable') return { ok: false, reason: refreshed };
      if (refreshed === 'held' && Date.now() > untilMs) return { ok: false, reason: 'unavailable' };
      if (refreshed === 'held') await sleep(40 + Math.random() * 40);
    }
  }

  /** Takes over a refresh whose instance has stopped: repairs the link or reports that the response is lost. */
  async recover(linkId: string): Promise<void> {
    const stored = await readTokens(queryable(this.parts.pool), linkId);
    if (stored) await this.refresh(stored);
  }

  /** Marks that only the user can repair the link; no effect if its tokens have another version by now. */
  async giveUp(linkId: string, why: string, version?: number): Promise<void> {
    const given = await inTransaction(this.parts.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      if (!link || link.state === 'unlinked' || link.state === 'needs_reauth') return false;
      if (version !== undefined && (await readTokens(tx, linkId))?.version !== version) return false;
      await saveState(tx, link, 'needs_reauth');
      await appendAudit(tx, {
        actor: 'linkage',
        action: 'link.needs_reauth',
        subject: `link:${linkId}`,
        organizerId: link.organizerId,
        detail: { platform: link.platform, why },
      });
      return true;
    });
    if (given) this.parts.logger.warn({ link_id: linkId, why }, 'a link needs its user to log in at the partner again');
  }

  private async refresh(stored: StoredTokens): Promise<Refreshed> {
    const partner = await this.parts.integrations.get(stored.integrationId);
    if (!partner) return 'unavailable';
    const claimed = await this.claim(stored, partner);
    if (!claimed) return 'held';
    const outcome = await this.refreshClaimed(stored, partner, claimed);
    this.refreshes.inc({ platform: this.platforms.of(partner.platform), outcome });
    return outcome;
  }

  private claim(stored: StoredTokens, partner: PartnerIntegration): Promise<ClaimedRefresh | null> {
    const { linkId, version } = stored;
    // Longer than all requests of one refresh may take, so that a live instance is never considered stopped.
    const leaseS = (partner.connection.profile.timeoutMs * 4) / 1000 + 5;
    return inTransaction(this.parts.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      if (!link || link.state === 'unlinked') return null;
      const claimed = await claimRefresh(tx, { linkId, version, instance: this.parts.instance, leaseS });
      if (claimed && link.state === 'ready') await saveState(tx, link, 'refreshing');
      return claimed;
    });
  }

  private async refreshClaimed(
    stored: StoredTokens,
    partner: PartnerIntegration,
    claimed: ClaimedRefresh,
  ): Promise<Refreshed> {
    const { linkId } = stored;
    if (stored.originVersion !== partner.originVersion) return this.needsReauth(stored, movedAway);
    if (stored.refreshTokenEnc === null) return this.needsReauth(stored, 'there is no refresh token');
    if (claimed.afterLostResponse)
      this.parts.logger.warn({ link_id: linkId }, 'the response to a refresh was not stored; trying again');
    const result = await this.ask(stored, stored.refreshTokenEnc, partner);
    if (result.ok) return this.store(stored, partner, result.value);
    if (!isGrantEnded(result)) {
      const fields = { link_id: linkId, reason: result.reason, outcome_unknown: result.outcomeUnknown === true };
      this.parts.logger.warn(fields, 'an access token could not be refreshed; will retry');
      await this.end(stored);
      return 'unavailable';
    }
    const now = await readTokens(queryable(this.parts.pool), linkId);
    if (now?.version !== stored.version) return 'refreshed';
    return this.needsReauth(
      stored,
      claimed.afterLostResponse ? 'the response to a refresh was lost' : 'the partner ended the grant',
    );
  }

  private async needsReauth(stored: StoredTokens, why: string): Promise<Refreshed> {
    await this.end(stored);
    await this.giveUp(stored.linkId, why, stored.version);
    return 'needs_reauth';
  }

  /** Tries the current refresh token and, if the grant seems to have ended, the previous one once. */
  private async ask(
    { linkId, previousRefreshTokenEnc: previous }: StoredTokens,
    present: string,
    { connection }: PartnerIntegration,
  ): Promise<PartnerResult<TokenSet>> {
    const { partnerClient, vault } = this.parts;
    const place = secretLocations.refreshToken(linkId);
    const result = await partnerClient.refresh(connection, vault.open(present, place));
    if (result.ok || !isGrantEnded(result) || previous === null) return result;
    return partnerClient.refresh(connection, vault.open(previous, place));
  }

  private async store(stored: StoredTokens, partner: PartnerIntegration, tokens: TokenSet): Promise<Refreshed> {
    const { linkId, version } = stored;
    const sealed = sealTokens(this.parts.vault, linkId, tokens, partner.connection.profile.accessTokenLifetimeS);
    const kept = await inTransaction(this.parts.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      if (!link || !(await saveRefreshed(tx, linkId, version, sealed))) return false;
      if (link.state === 'refreshing') await saveState(tx, link, 'ready');
      return true;
    });
    if (!kept) this.parts.logger.info({ link_id: linkId }, 'refreshed tokens came too late and were dropped');
    return 'refreshed';
  }

  private end({ linkId, version }: StoredTokens): Promise<void> {
    return inTransaction(this.parts.pool, async (tx) => {
      const link = await lockLink(tx, linkId);
      if (!link || !(await endRefresh(tx, linkId, version, this.parts.instance))) return;
      if (link.state === 'refreshing') await saveState(tx, link, 'ready');
    });
  }
}

/**
 * Whether the partner ended the grant: `invalid_grant` in a JSON body (RFC 6749 5.2). Any other error may come from a proxy,
 * a faulty release or a wrong client secret, and would end the links of all users at once.
 */
function isGrantEnded({ kind, status, partnerCode }: PartnerFailure): boolean {
  return kind === 'rejected' && (status === 400 || status === 401) && partnerCode === 'invalid_grant';
}
