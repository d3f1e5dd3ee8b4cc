import { toCodedError } from '@podium/runtime/http';
import type { Logger } from '@podium/runtime/log';
import { Pool, queryable } from '@podium/runtime/postgres';
import { PartnerActivity } from '../activity/partner-activity';
import { Deadline } from '../partner-client/deadline';
import { secretHash } from './authorization-url';
import { linkingTimeMs } from '@podium/partner-check/checking/check-target';
import { CallbackQuery } from '@podium/partner-check/protocol/callback-query';
import { FlowProgress } from './flow-progress';
import { TakenFlow, endCallback, takeFlow, takeNewestFlow } from './flow.store';
import { Identified, IdentifyUser } from './identify-user';
import { Link } from './link';
import { LinkMetrics } from './link-metrics';
import { LinkFailureReason, LinkOutcome } from './link-outcome';
import { LinkingUser } from '../browser/linking-user';
import { maySessionFinish } from './session-binding';
import { PartnerIntegration, PartnerIntegrationStore } from './partner-integration.store';
import { LinkReadiness } from './link-readiness';
import { FlowFailure, reasonOf, redirectProblem } from './redirect-problem';
import { RevokeUnused } from './revoke-unused';
import { StoreLink } from './store-link';

/** A partner's redirect as received. */
export interface Callback {
  readonly integrationId: string;
  readonly query: CallbackQuery;
  /** From the browser's cookie. */
  readonly browserSecret: string | null;
  readonly session: LinkingUser | null;
}

/** A redirect that belongs to a flow. */
export type RecognisedCallback = Exclude<CallbackQuery, { kind: 'unusable' }>;

/** Ends the flow of an operator's test link, of which nothing is stored; never throws for errors of a partner. */
export type FinishTest = (
  partner: PartnerIntegration,
  flow: TakenFlow,
  query: RecognisedCallback,
  deadline: Deadline,
) => Promise<LinkOutcome>;

/** The part of a callback reserved to store the link; a partner's deadline ends before it, whatever its profile allows. */
export const storeWithinMs = 3000;
/** Total time of a callback with partner, database and readiness together; below the gateway's timeout. */
const answerWithinMs = linkingTimeMs + storeWithinMs;
/** How long a callback waits for the link to be ready before its page shows that it is being set up. */
const readyWaitMs = 8000;
/** How long a stop waits for flows that nobody waits for: with a callback before it, less than STOP_SECONDS. A test may take longer. */
const idleWithinMs = 8000;

/** Finishes a linking flow: from the partner's redirect to a link that every part of the service knows. */
export class FinishLink {
  /** Flows that were taken and have not ended, also those whose page was sent at the deadline, or whose browser has gone. */
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly storeLink: StoreLink;
      readonly identifyUser: IdentifyUser;
      readonly revokeUnused: RevokeUnused;
      readonly readiness: LinkReadiness;
      readonly metrics: LinkMetrics;
      readonly activity: PartnerActivity;
      readonly finishTest: FinishTest;
      readonly logger: Logger;
    },
  ) {}

  /**
   * Never throws for errors of a partner or user, nor while the database is unavailable; each end is an outcome with a sentence.
   * At the deadline the outcome is `unfinished`; the work continues, and the user's accounts show the result.
   */
  async finish(callback: Callback): Promise<LinkOutcome> {
    const deadline = Deadline.within(answerWithinMs);
    const seen: SeenFlow = { partner: null, returnTo: null, isTest: false, progress: null };
    const work = this.outcomeOf(callback, deadline, seen);
    try {
      const outcome = await deadline.orLate(work);
      if (outcome === 'late') return this.late(callback, seen, work);
      if (!seen.isTest) this.parts.metrics.flowFinished(seen.partner?.platform ?? null, outcome);
      return outcome;
    } catch (error) {
      this.countError(seen);
      seen.progress?.failed('error');
      if (toCodedError(error).code !== 'unavailable') throw error;
      this.parts.logger.error(
        { integration_id: callback.integrationId, err: error },
        'a linking flow failed because a dependency is unavailable',
      );
      return this.failure(callback, seen, failed('unfinished'));
    }
  }

  /** Waits for the flows that were taken: one that is cut off loses a link whose code is used, or the result of a test. */
  async idle(): Promise<void> {
    await Deadline.within(idleWithinMs).orLate(Promise.allSettled(this.underWay));
  }

  private async outcomeOf(callback: Callback, deadline: Deadline, seen: SeenFlow): Promise<LinkOutcome> {
    seen.partner = await this.parts.integrations.get(callback.integrationId);
    const attempt = seen.partner
      ? await this.attempt(seen.partner, callback, deadline, seen)
      : failed('not_recognised');
    if ('kind' in attempt) return attempt;
    this.progressOf(callback, seen)?.failed(attempt.reason, attempt.partnerCode);
    return this.failure(callback, seen, attempt);
  }

  private failure(callback: Callback, seen: SeenFlow, { reason, partnerCode }: FlowFailure): LinkOutcome {
    const fields = { integration_id: callback.integrationId, reason, partner_code: partnerCode };
    this.parts.logger.info(fields, 'a linking flow failed');
    const displayName = seen.partner?.displayName ?? null;
    return { kind: 'failed', reason, displayName, partnerCode: partnerCode ?? null, returnTo: seen.returnTo };
  }

  /** Partners have an earlier deadline, so this is always a delay of this service, unless a test goes on after its page. */
  private late(callback: Callback, seen: SeenFlow, work: Promise<LinkOutcome>): LinkOutcome {
    const { logger } = this.parts;
    const fields = { integration_id: callback.integrationId };
    this.countError(seen);
    work.then(
      (outcome) => logger.warn({ ...fields, outcome: outcome.kind }, 'a linking flow ended after its page was sent'),
      (error: unknown) => logger.warn({ ...fields, err: error }, 'a linking flow failed after its page was sent'),
    );
    if (seen.isTest && seen.partner) return { kind: 'testing', displayName: seen.partner.displayName };
    return this.failure(callback, seen, failed('unfinished'));
  }

  private async attempt(
    partner: PartnerIntegration,
    callback: Callback,
    deadline: Deadline,
    seen: SeenFlow,
  ): Promise<LinkOutcome | FlowFailure> {
    const { query } = callback;
    if (query.kind === 'unusable') return failed('request_unusable');
    const taken = this.take(callback, query.state);
    const work = this.takeAndStore(partner, taken, { ...callback, query }, deadline, seen);
    const ended = this.endCallback(taken, work).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    const stored = await work;
    return 'linkId' in stored ? this.whenReady(partner, seen, stored, deadline) : stored;
  }

  private async takeAndStore(
    partner: PartnerIntegration,
    taken: Promise<TakenFlow | null>,
    callback: Callback & { readonly query: RecognisedCallback },
    deadline: Deadline,
    seen: SeenFlow,
  ): Promise<Link | LinkOutcome | FlowFailure> {
    const flow = await taken;
    if (!flow) return failed('not_recognised');
    seen.returnTo = flow.returnTo;
    seen.isTest = flow.testLinkId !== null;
    return this.store(partner, flow, callback, deadline, seen);
  }

  /**
   * Ends the callback after its work; the page does not wait for it, because many that end at once, as those of a partner that hangs,
   * would share a few connections first. One that cannot be ended counts for a minute.
   */
  private async endCallback(taken: Promise<TakenFlow | null>, work: Promise<unknown>): Promise<void> {
    await Promise.allSettled([work]);
    const flow = await taken.catch(() => null);
    if (flow) await endCallback(queryable(this.parts.pool), flow.callbackId).catch(() => undefined);
  }

  /** The stored link, or how the flow ends without one. */
  private async store(
    partner: PartnerIntegration,
    flow: TakenFlow,
    { query, session }: Callback & { readonly query: RecognisedCallback },
    deadline: Deadline,
    seen: SeenFlow,
  ): Promise<Link | LinkOutcome | FlowFailure> {
    if (seen.isTest) return this.parts.finishTest(partner, flow, query, deadline);
    const progress = this.progressOf(partner, seen) ?? undefined;
    const problem = redirectProblem(partner, flow, query);
    if (query.kind === 'error' || problem !== null) return problem ?? failed('partner_said_no');
    if (!maySessionFinish(flow, session)) return failed('session_changed');
    if (partner.status !== 'active') return failed('integration_paused');
    progress?.returned(Date.now() - flow.createdAt.getTime());
    const within = { deadline: deadline.earlierBy(storeWithinMs), progress };
    const identified = await this.parts.identifyUser.identify(partner, flow, query.code, within);
    if (identified.ok) return this.link(partner, flow, identified.value, deadline);
    const { unused: tokens } = identified;
    if (tokens) await this.parts.revokeUnused.revoke(partner, { tokens, userId: flow.userId, sub: null }, deadline);
    return reasonOf(identified);
  }

  /** Counts the steps of a flow of a known partner; null for a test link, which is not counted. */
  private progressOf({ integrationId }: Pick<Callback, 'integrationId'>, seen: SeenFlow): FlowProgress | null {
    if (seen.partner !== null && !seen.isTest) seen.progress ??= new FlowProgress(this.parts.activity, integrationId);
    return seen.progress;
  }

  private countError({ partner, isTest }: SeenFlow): void {
    if (!isTest) this.parts.metrics.flowFailed(partner?.platform ?? null);
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
    { tokens, exchangedAtMs, user }: Identified,
    deadline: Deadline,
  ): Promise<Link | FlowFailure> {
    const { storeLink, revokeUnused } = this.parts;
    const { integrationId, platform, organizerId } = partner;
    const times = { begunAt: flow.createdAt, exchangedAtMs };
    const pair = { integrationId, platform, organizerId, userId: flow.userId, ...user, ...times };
    const saved = await storeLink.store(partner, pair, tokens);
    if (typeof saved !== 'string') return saved;
    await revokeUnused.revoke(partner, { tokens, userId: flow.userId, sub: user.sub }, deadline);
    return failed(saved);
  }

  private async whenReady(
    { integrationId, displayName }: PartnerIntegration,
    { returnTo }: SeenFlow,
    { linkId, nickname }: Link,
    deadline: Deadline,
  ): Promise<LinkOutcome> {
    const { readiness, pool } = this.parts;
    readiness.wake();
    const waitMs = Math.min(readyWaitMs, deadline.earlierBy(readAgainMs).leftMs());
    const ready = await readiness.untilReady(queryable(pool), linkId, waitMs);
    return { kind: 'linked', integrationId, displayName, nickname, ready, returnTo };
  }
}

/** Time reserved for the last check whether the link is ready. */
const readAgainMs = 250;

/** The data of a flow so far, for a response at the deadline. */
interface SeenFlow {
  partner: PartnerIntegration | null;
  returnTo: string | null;
  isTest: boolean;
  progress: FlowProgress | null;
}

function failed(reason: LinkFailureReason): FlowFailure {
  return { reason };
}
