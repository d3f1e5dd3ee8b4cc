import type { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, queryable, violatedConstraint } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { userDigest } from '../erasures/erase-users';
import { isErasedSince, shareLinking } from '../erasures/erasures.store';
import { redirectUrlOf } from '../integrations/onboarding';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerFailure, PartnerUser, TokenSet, printable } from '../partner-client/partner-result';
import { places } from '../vault/places';
import { Vault } from '../vault/vault';
import { secretHash } from './authorization-url';
import { CallbackQuery, isPartnersIssuer } from './callback-query';
import { TakenFlow, takeFlow, takeNewestFlow } from './flow.store';
import { Link } from './link';
import { LinkMetrics } from './link-metrics';
import { LinkFailureReason, LinkOutcome } from './link-outcome';
import { NewLink, lockRivals, saveLinked } from './link.store';
import { LinkingUser, maySessionFinish } from './linking-user';
import { PartnerIntegration, PartnerIntegrationStore, holdActive } from './partner-integration.store';
import { ReadinessBarrier } from './readiness-barrier';
import { sealTokens } from './seal-tokens';
import { LinkRules } from './start-link';
import { putTokens } from './token.store';

/** A partner's redirect as it reached us. */
export interface Callback {
  readonly integrationId: string;
  readonly query: CallbackQuery;
  /** From the browser's cookie. */
  readonly browserSecret: string | null;
  readonly session: LinkingUser | null;
}

/** How long a callback waits for every part of the service to know, before its page says that it is being finished. */
const readyWaitMs = 8000;
/** A page's answer is due before the gateway gives up on it; what slow partners took is not waited for again. */
const answerWithinMs = 16_000;

/** Finishes a linking flow: from the partner's redirect to a link that every part of the service knows. */
export class FinishLink {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly vault: Vault;
      readonly partnerClient: PartnerClient;
      readonly barrier: ReadinessBarrier;
      readonly rules: LinkRules;
      readonly metrics: LinkMetrics;
      readonly logger: Logger;
    },
  ) {}

  /** Never throws for what a partner or a user does; each end is an outcome with a sentence. */
  async finish(callback: Callback): Promise<LinkOutcome> {
    const { integrations, metrics } = this.parts;
    let platform: string | null = null;
    try {
      const partner = await integrations.get(callback.integrationId);
      platform = partner?.platform ?? null;
      const outcome = await this.outcomeOf(partner, callback);
      metrics.flowFinished(platform, outcome);
      return outcome;
    } catch (error) {
      metrics.flowFailed(platform);
      throw error;
    }
  }

  private async outcomeOf(partner: PartnerIntegration | null, callback: Callback): Promise<LinkOutcome> {
    const answerByMs = Date.now() + answerWithinMs;
    const attempt = partner ? await this.attempt(partner, callback, answerByMs) : failed('not_recognised');
    const { reason, partnerCode, returnTo } = attempt as Partial<Failed>;
    if (reason !== undefined) {
      const fields = { integration_id: callback.integrationId, reason, partner_code: partnerCode };
      this.parts.logger.info(fields, 'a linking flow failed');
      const displayName = partner?.displayName ?? null;
      return { kind: 'failed', reason, displayName, partnerCode: partnerCode ?? null, returnTo: returnTo ?? null };
    }
    return attempt as LinkOutcome;
  }

  private async attempt(
    partner: PartnerIntegration,
    callback: Callback,
    answerByMs: number,
  ): Promise<LinkOutcome | Failed> {
    const { query } = callback;
    if (query.kind === 'unusable') return failed('request_unusable');
    const flow = await this.take(callback, query.state);
    if (!flow) return failed('not_recognised');
    const end = { returnTo: flow.returnTo };
    // An error is shown only to the browser that has a flow: a stranger's address cannot put words on our page.
    if (query.kind === 'error') return failed('partner_said_no', { ...end, partnerCode: printable(query.error) });
    if (flow.expired) return failed('expired', end);
    if (!maySessionFinish(flow, callback.session)) return failed('session_changed', end);
    const issuer = { baseUrl: partner.connection.baseUrl, authorizationUrl: partner.authorizationUrl };
    if (query.iss !== null && !isPartnersIssuer(query.iss, issuer)) return failed('issuer_mismatch', end);
    if (partner.status !== 'active') return failed('integration_paused', end);
    const identified = await this.identify(partner, flow, query.code);
    if (!identified.ok) return failed(reasonOf(identified), { ...end, partnerCode: identified.partnerCode });
    return this.link(partner, flow, identified, answerByMs);
  }

  private take(callback: Callback, state: string | null): Promise<TakenFlow | null> {
    if (callback.browserSecret === null) return Promise.resolve(null);
    const { integrationId } = callback;
    const browserHash = secretHash(callback.browserSecret);
    const db = queryable(this.parts.pool);
    return state === null
      ? takeNewestFlow(db, { integrationId, browserHash })
      : takeFlow(db, { stateHash: secretHash(state), integrationId, browserHash });
  }

  private async identify(
    partner: PartnerIntegration,
    flow: TakenFlow,
    code: string,
  ): Promise<{ ok: true; tokens: TokenSet; user: PartnerUser } | PartnerFailure> {
    const { partnerClient, vault, rules } = this.parts;
    const codeVerifier =
      flow.codeVerifierEnc === null
        ? null
        : vault.open(flow.codeVerifierEnc, places.codeVerifier(flow.stateHash.toString('hex')));
    const redirectUri = redirectUrlOf(flow.integrationId, rules.publicUrl);
    const tokens = await partnerClient.exchangeCode(partner.connection, { code, redirectUri, codeVerifier });
    if (!tokens.ok) return tokens;
    const user = await partnerClient.userInfo(partner.connection, tokens.value.accessToken);
    return user.ok ? { ok: true, tokens: tokens.value, user: user.value } : user;
  }

  private async link(
    partner: PartnerIntegration,
    flow: TakenFlow,
    { tokens, user }: { tokens: TokenSet; user: PartnerUser },
    answerByMs: number,
  ): Promise<LinkOutcome | Failed> {
    const { integrationId, platform, organizerId, displayName } = partner;
    const pair: NewLink = { integrationId, platform, organizerId, userId: flow.userId, ...user };
    const saved = await this.saveTwice(partner, { ...pair, begunAt: flow.createdAt }, tokens);
    if (typeof saved === 'string') return failed(saved, { returnTo: flow.returnTo });
    this.parts.barrier.kick();
    const waitMs = Math.min(readyWaitMs, answerByMs - Date.now());
    const ready = await this.parts.barrier.untilReady(saved.linkId, waitMs);
    return { kind: 'linked', integrationId, displayName, nickname: user.nickname, ready, returnTo: flow.returnTo };
  }

  /** Of two callbacks at once the later insert meets the unique index; looked at again, the winner's row says why. */
  private async saveTwice(
    partner: PartnerIntegration,
    pair: BegunLink,
    tokens: TokenSet,
  ): Promise<Link | LinkFailureReason> {
    try {
      return await this.save(partner, pair, tokens);
    } catch (error) {
      if (!violatedConstraint(error)?.startsWith('links_')) throw error;
      return this.save(partner, pair, tokens);
    }
  }

  private save(partner: PartnerIntegration, pair: BegunLink, tokens: TokenSet): Promise<Link | LinkFailureReason> {
    return inTransaction(this.parts.pool, async (tx) => {
      await shareLinking(tx);
      if (await isErasedSince(tx, userDigest(pair), pair.begunAt)) return 'erased';
      if (!(await holdActive(tx, pair.integrationId))) return 'integration_paused';
      for (const rival of await lockRivals(tx, pair)) {
        if (rival.userId !== pair.userId) return 'linked_elsewhere';
        if (rival.sub !== pair.sub) return 'other_account_linked';
      }
      const link = await saveLinked(tx, pair);
      const { accessTokenLifetimeS } = partner.connection.profile;
      await putTokens(tx, link.linkId, sealTokens(this.parts.vault, link.linkId, tokens, accessTokenLifetimeS));
      await appendAudit(tx, {
        actor: `user:${pair.userId}`,
        action: 'link.linked',
        subject: `link:${link.linkId}`,
        organizerId: pair.organizerId,
        detail: { platform: pair.platform },
      });
      return link;
    });
  }
}

/** A link whose flow began then. */
type BegunLink = NewLink & { readonly begunAt: Date };

interface Failed {
  readonly reason: LinkFailureReason;
  readonly partnerCode?: string;
  readonly returnTo?: string | null;
}

function failed(reason: LinkFailureReason, details: Omit<Failed, 'reason'> = {}): Failed {
  return { reason, ...details };
}

function reasonOf(failure: PartnerFailure): LinkFailureReason {
  if (failure.kind === 'rejected') return 'partner_refused';
  return failure.kind === 'malformed' ? 'partner_malformed' : 'partner_unavailable';
}
