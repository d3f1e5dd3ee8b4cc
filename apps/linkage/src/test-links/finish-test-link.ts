import { Pool, Queryable, queryable } from '@podium/runtime/postgres';
import { openVerifier } from '../links/code-verifier';
import { RecognisedCallback, storeWithinMs } from '../links/finish-link';
import { TakenFlow } from '../links/flow.store';
import { LinkFailureReason, LinkOutcome } from '../links/link-outcome';
import { hasAnyLink, isLinked } from '../links/linked-accounts.store';
import { PartnerIntegration } from '../links/partner-integration.store';
import { FlowFailure, reasonOf, redirectProblem } from '../links/redirect-problem';
import { Deadline } from '../partner-client/deadline';
import { PartnerExchange, shownExchange } from '../partner-client/exchange-record';
import { PartnerCallOptions, PartnerClient } from '../partner-client/partner-client';
import { tokenToRevoke } from '../partner-client/token-to-revoke';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { patientQueries } from '../outlast-outage';
import { Vault } from '../vault/vault';
import { LeftOutReason, TestLinkResult, TestStep } from './test-link-result';
import { saveTestResult } from './test-link.store';

/** What is known of a test so far. */
interface Test {
  readonly exchanges: PartnerExchange[];
  readonly passed: TestStep[];
  tokens: TokenSet | null;
  /** The account that logged in; null while it is not known. */
  sub: string | null;
  leftOut: LeftOutReason | null;
}

/** A step that failed, and why. */
interface FailedStep extends FlowFailure {
  readonly step: TestStep;
}

/**
 * Ends the flow of a test link: the same requests as for a user in the same time, then a refresh and a revocation where the partner
 * can, which is left out for an account that is linked. For these two no user would wait, so each has the partner's timeout. Tokens stay in memory; only the redacted result is stored. Its partner client is its
 * own, so that tests count in no metric of users.
 */
export class FinishTestLink {
  private readonly stopping = new AbortController();
  /** An outage of Postgres must not cost the log-in that an operator has made. */
  private readonly db: Queryable;

  constructor(
    private readonly parts: { readonly pool: Pool; readonly vault: Vault; readonly partnerClient: PartnerClient },
  ) {
    this.db = patientQueries(queryable(parts.pool), this.stopping.signal);
  }

  /** Never throws for errors of the partner. `deadline` is that of the page; the test may end after it. */
  async finish(
    partner: PartnerIntegration,
    flow: TakenFlow,
    query: RecognisedCallback,
    deadline: Deadline,
  ): Promise<LinkOutcome> {
    const test: Test = { exchanges: [], passed: [], tokens: null, sub: null, leftOut: null };
    const failed = await this.run(partner, flow, query, deadline, test);
    const result: TestLinkResult = {
      passed: test.passed,
      failed_at: failed?.step ?? null,
      reason: this.reasonOf(failed),
      partner_code: failed?.partnerCode ?? null,
      refreshable: test.tokens && test.tokens.refreshToken !== null,
      expires_in_s: test.tokens?.expiresInS ?? null,
      revocation_left_out: test.leftOut,
      exchanges: test.exchanges.map(shownExchange),
    };
    await saveTestResult(this.db, flow.testLinkId ?? '', result);
    return {
      kind: 'tested',
      displayName: partner.displayName,
      isSuccess: failed === null,
      reason: this.reasonOf(failed),
      partnerCode: failed?.partnerCode ?? null,
    };
  }

  /** Ends the requests of the tests that still run. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.parts.partnerClient.stop();
  }

  /** A request that the stop has ended is no fault of the partner's. */
  private reasonOf(failed: FailedStep | null): LinkFailureReason | null {
    return failed && (this.stopping.signal.aborted ? 'unfinished' : failed.reason);
  }

  private async run(
    partner: PartnerIntegration,
    flow: TakenFlow,
    query: RecognisedCallback,
    deadline: Deadline,
    test: Test,
  ): Promise<FailedStep | null> {
    const problem = redirectProblem(partner, flow, query);
    if (problem !== null || query.kind === 'error') return { step: 'returned', ...(problem ?? { reason: 'expired' }) };
    test.passed.push('returned');
    const record = (exchange: PartnerExchange): void => void test.exchanges.push(exchange);
    const linking = { deadline: deadline.earlierBy(storeWithinMs), record };
    const { connection } = partner;
    const { partnerClient, vault } = this.parts;
    const grant = { code: query.code, redirectUri: flow.redirectUri ?? '', codeVerifier: openVerifier(vault, flow) };
    const exchanged = await partnerClient.exchangeCode(connection, grant, linking);
    if (!exchanged.ok) return { step: 'exchanged', ...reasonOf(exchanged) };
    test.passed.push('exchanged');
    test.tokens = exchanged.value;
    const failed = await this.useTokens(partner, exchanged.value, linking, test);
    return (await this.revoke(partner, { record }, test)) ?? failed;
  }

  private async useTokens(
    { connection }: PartnerIntegration,
    { accessToken, refreshToken }: TokenSet,
    linking: PartnerCallOptions,
    test: Test,
  ): Promise<FailedStep | null> {
    const { partnerClient } = this.parts;
    const user = await partnerClient.userInfo(connection, accessToken, linking);
    if (!user.ok) return { step: 'identified', ...reasonOf(user) };
    test.passed.push('identified');
    test.sub = user.value.sub;
    if (refreshToken === null) return null;
    const refreshed = await partnerClient.refresh(connection, refreshToken, { record: linking.record });
    if (!refreshed.ok) return { step: 'refreshed', ...reasonOf(refreshed) };
    test.passed.push('refreshed');
    // The refresh token that is valid after it.
    test.tokens = { ...refreshed.value, refreshToken: refreshed.value.refreshToken ?? refreshToken };
    return null;
  }

  /** The grant ends at the partner too, if it can; null when that worked, was left out, or there is nothing to do. */
  private async revoke(
    { connection, platform }: PartnerIntegration,
    options: PartnerCallOptions,
    test: Test,
  ): Promise<FailedStep | null> {
    if (connection.profile.revocationPath === null || test.tokens === null) return null;
    test.leftOut = await this.whyLeftOut(platform, test.sub);
    if (test.leftOut !== null) return null;
    const revoked = await this.parts.partnerClient.revoke(connection, ...tokenToRevoke(test.tokens), options);
    if (!revoked.ok) return { step: 'revoked', ...reasonOf(revoked) };
    test.passed.push('revoked');
    return null;
  }

  private async whyLeftOut(platform: string, sub: string | null): Promise<LeftOutReason | null> {
    const { db } = this;
    if (sub === null) return (await hasAnyLink(db, platform)) ? 'account_unknown' : null;
    return (await isLinked(db, { platform, sub })) ? 'account_linked' : null;
  }
}
