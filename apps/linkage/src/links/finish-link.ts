import { toCodedError } from '@podium/runtime/http';
import type { Logger } from '@podium/runtime/log';
import { Pool, inTransaction, queryable, violatedConstraint } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { Deadline } from '../partner-client/deadline';
import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';
import { PartnerFailure, TokenSet } from '@podium/partner-check/protocol/partner-result';
import { Vault } from '../vault/vault';
import { secretHash } from './authorization-url';
import { CallbackQuery, isPartnersIssuer } from '@podium/partner-check/protocol/callback-query';
import { isErasedSince, userDigest } from './erased-users.queries';
import { blockErasures } from './linking-lock.store';
import { TakenFlow, takeFlow, takeNewestFlow } from './flow.store';
import { Identified, IdentifyUser } from './identify-user';
import { Link } from './link';
import { LinkMetrics } from './link-metrics';
import { LinkFailureReason, LinkOutcome } from './link-outcome';
import { NewLink, lockRivals, saveLinked } from './link.store';
import { LinkingUser } from '../browser/linking-user';
import { maySessionFinish } from './session-binding';
import { PartnerIntegration, PartnerIntegrationStore, holdActive } from './partner-integration.store';
import { LinkReadiness } from './link-readiness';
import { sealTokens } from './seal-tokens';
import { putTokens } from './token.store';

/** A partner's redirect as received. */
export interface Callback {
  readonly integrationId: string;
  readonly query: CallbackQuery;
  /** From the browser's cookie. */
  readonly browserSecret: string | null;
  readonly session: LinkingUser | null;
}

/** Total time of a callback with partner, database and readiness together; below the gateway's timeout. */
const answerWithinMs = 15_000;
/** The part of that time reserved to store the link; a partner's deadline ends before it, whatever its profile allows. */
const storeWithinMs = 3000;
/** How long a callback waits for the link to be ready before its page shows that it is being set up. */
const readyWaitMs = 8000;

/** Finishes a linking flow: from the partner's redirect to a link that every part of the service knows. */
export class FinishLink {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly vault: Vault;
      readonly identifyUser: IdentifyUser;
      readonly readiness: LinkReadiness;
      readonly metrics: LinkMetrics;
      readonly logger: Logger;
    },
  ) {}

  /**
   * Never throws for errors of a partner or user, nor while the database is unavailable; each end is an outcome with a sentence.
   * At the deadline the outcome is `unfinished`; the work continues, and the user's accounts show the result.
   */
  async finish(callback: Callback): Promise<LinkOutcome> {
    const deadline = Deadline.within(answerWithinMs);
    const seen: FlowProgress = { partner: null, returnTo: null };
    const work = this.outcomeOf(callback, deadline, seen);
    try {
      const outcome = await deadline.orLate(work);
      if (outcome === 'late') return this.late(callback, seen, work);
      this.parts.metrics.flowFinished(seen.partner?.platform ?? null, outcome);
      return outcome;
    } catch (error) {
      this.parts.metrics.flowFailed(seen.partner?.platform ?? null);
      if (toCodedError(error).code !== 'unavailable') throw error;
      this.parts.logger.error(
        { integration_id: callback.integrationId, err: error },
        'a linking flow failed because a dependency is unavailable',
      );
      return this.failure(callback, seen, failed('unfinished'));
    }
  }

  private async outcomeOf(callback: Callback, deadline: Deadline, seen: FlowProgress): Promise<LinkOutcome> {
    seen.partner = await this.parts.integrations.get(callback.integrationId);
    const attempt = seen.partner
      ? await this.attempt(seen.partner, callback, deadline, seen)
      : failed('not_recognised');
    return 'kind' in attempt ? attempt : this.failure(callback, seen, attempt);
  }

  private failure(callback: Callback, seen: FlowProgress, { reason, partnerCode }: Failed): LinkOutcome {
    const fields = { integration_id: callback.integrationId, reason, partner_code: partnerCode };
    this.parts.logger.info(fields, 'a linking flow failed');
    const displayName = seen.partner?.displayName ?? null;
    return { kind: 'failed', reason, displayName, partnerCode: partnerCode ?? null, returnTo: seen.returnTo };
  }

  /** Partners have an earlier deadline, so this is always a delay of this service. */
  private late(callback: Callback, seen: FlowProgress, work: Promise<LinkOutcome>): LinkOutcome {
    const { metrics, logger } = this.parts;
    const fields = { integration_id: callback.integrationId };
    metrics.flowFailed(seen.partner?.platform ?? null);
    work.then(
      (outcome) => logger.warn({ ...fields, outcome: outcome.kind }, 'a linking flow ended after its page was sent'),
      (error: unknown) => logger.warn({ ...fields, err: error }, 'a linking flow failed after its page was sent'),
    );
    return this.failure(callback, seen, failed('unfinished'));
  }

  private async attempt(
    partner: PartnerIntegration,
    callback: Callback,
    deadline: Deadline,
    seen: FlowProgress,
  ): Promise<LinkOutcome | Failed> {
    const { query } = callback;
    if (query.kind === 'unusable') return failed('request_unusable');
    const flow = await this.take(callback, query.state);
    if (!flow) return failed('not_recognised');
    seen.returnTo = flow.returnTo;
    // An error is shown only to the browser that has a flow: a forged URL cannot put text on this page.
    if (query.kind === 'error') return failed('partner_said_no', query.error);
    if (flow.expired) return failed('expired');
    if (!maySessionFinish(flow, callback.session)) return failed('session_changed');
    const issuer = { baseUrl: partner.connection.baseUrl, authorizationUrl: partner.authorizationUrl };
    if (query.iss !== null && !isPartnersIssuer(query.iss, issuer)) return failed('issuer_mismatch');
    if (partner.status !== 'active') return failed('integration_paused');
    // The code and the code verifier belong to the former server.
    if (flow.originVersion !== partner.originVersion) return failed('partner_moved');
    const identified = await this.parts.identifyUser.identify(
      partner,
      flow,
      query.code,
      deadline.earlierBy(storeWithinMs),
    );
    if (!identified.ok) return failed(reasonOf(identified), identified.partnerCode);
    return this.link(partner, flow, identified.value, deadline);
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

  private async link(
    partner: PartnerIntegration,
    flow: TakenFlow,
    { tokens, user }: Identified,
    deadline: Deadline,
  ): Promise<LinkOutcome | Failed> {
    const { integrationId, platform, organizerId, displayName } = partner;
    const pair: NewLink = { integrationId, platform, organizerId, userId: flow.userId, ...user };
    const saved = await this.saveTwice(partner, { ...pair, begunAt: flow.createdAt }, tokens);
    if (typeof saved === 'string') return failed(saved);
    const { readiness, pool } = this.parts;
    readiness.wake();
    const waitMs = Math.min(readyWaitMs, deadline.earlierBy(readAgainMs).leftMs());
    const ready = await readiness.untilReady(queryable(pool), saved.linkId, waitMs);
    return { kind: 'linked', integrationId, displayName, nickname: user.nickname, ready, returnTo: flow.returnTo };
  }

  /** Of two callbacks at once, the later insert violates the unique index; a second attempt finds the winner's row. */
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
      await blockErasures(tx);
      if (await isErasedSince(tx, userDigest(pair), pair.begunAt)) return 'erased';
      if (!(await holdActive(tx, pair.integrationId))) return 'integration_paused';
      for (const rival of await lockRivals(tx, pair)) {
        if (rival.userId !== pair.userId) return 'linked_elsewhere';
        if (rival.sub !== pair.sub) return 'other_account_linked';
      }
      const link = await saveLinked(tx, pair);
      const { accessTokenLifetimeS } = partner.connection.profile;
      const sealed = sealTokens(this.parts.vault, link.linkId, tokens, accessTokenLifetimeS);
      await putTokens(tx, link.linkId, sealed, partner.originVersion);
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

/** Time reserved for the last check whether the link is ready. */
const readAgainMs = 250;

/** A link with the start of its flow. */
type BegunLink = NewLink & { readonly begunAt: Date };

/** The data of a flow so far, for a response at the deadline. */
interface FlowProgress {
  partner: PartnerIntegration | null;
  returnTo: string | null;
}

interface Failed {
  readonly reason: LinkFailureReason;
  readonly partnerCode?: PartnerErrorCode;
}

function failed(reason: LinkFailureReason, partnerCode?: PartnerErrorCode): Failed {
  return { reason, partnerCode };
}

function reasonOf(failure: PartnerFailure): LinkFailureReason {
  if (failure.kind === 'rejected') return 'partner_refused';
  return failure.kind === 'malformed' ? 'partner_malformed' : 'partner_unavailable';
}
