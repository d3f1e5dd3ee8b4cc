import { basicAuthorization } from '@podium/partner-check/protocol/basic-authorization';
import type { Logger } from '@podium/runtime/log';
import type { Registry } from '@podium/runtime/metrics';
import { Deadline } from './deadline';
import { PartnerOperationName, RecordExchange, describeRequest, describeResponse, statusOnly } from './exchange-record';
import {
  RawResponse,
  readRevocationResponse,
  readTokenResponse,
  readUserInfoResponse,
} from '@podium/partner-check/protocol/partner-answers';
import { BreakerState, PartnerBreakers } from './partner-breakers';
import { PartnerHttp, PartnerRequest } from './partner-http';
import { PartnerMetrics } from './partner-metrics';
import { PartnerConnection } from './partner-profile';
import {
  PartnerFailure,
  PartnerResult,
  PartnerUser,
  TokenSet,
  failure,
} from '@podium/partner-check/protocol/partner-result';

/** What an operation at a partner may be given. */
export interface PartnerCallOptions {
  /** Of the user who waits for it. */
  readonly deadline?: Deadline;
  /** Takes what was sent and received, redacted. */
  readonly record?: RecordExchange;
}

/** An operation at a partner. */
interface PartnerOperation extends PartnerCallOptions {
  readonly operation: PartnerOperationName;
  /** Which of two live client secrets authenticates it. */
  readonly clientSecret?: 'current' | 'previous';
}

/** A form for one of a partner's endpoints, and how its response is read. */
interface FormRequest<Value> {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly read: (response: RawResponse) => PartnerResult<Value>;
}

/**
 * The OAuth 2.0 client of the specification (RFC 6749 where it applies) for partners' token and user info endpoints. Each
 * partner has its own circuit breaker and concurrency limit. A partner's error never throws.
 */
export class PartnerClient {
  private readonly breakers: PartnerBreakers;
  /** Partners that accepted the previous secret last, by that secret: it is tried first. */
  private readonly acceptedPrevious = new Map<string, string>();
  private readonly metrics: PartnerMetrics;

  constructor(
    private readonly http: PartnerHttp,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.breakers = new PartnerBreakers(logger);
    this.metrics = new PartnerMetrics(registry);
  }

  /** Exchanges a one-time code (specification, Token request, authorization_code). */
  async exchangeCode(
    partner: PartnerConnection,
    grant: { code: string; redirectUri: string; codeVerifier: string | null },
    options: PartnerCallOptions = {},
  ): Promise<PartnerResult<TokenSet>> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: grant.redirectUri,
    });
    if (grant.codeVerifier !== null) form.set('code_verifier', grant.codeVerifier);
    return this.token(partner, form, { operation: 'exchange', ...options });
  }

  /** Refreshes an access token (specification, Token request, refresh_token). */
  async refresh(
    partner: PartnerConnection,
    refreshToken: string,
    options: PartnerCallOptions = {},
  ): Promise<PartnerResult<TokenSet>> {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    return this.token(partner, form, { operation: 'refresh', ...options });
  }

  /** Revokes a token (RFC 7009); a token that is not valid any more counts as revoked there. */
  async revoke(
    partner: PartnerConnection,
    token: string,
    hint: 'refresh_token' | 'access_token',
    options: PartnerCallOptions = {},
  ): Promise<PartnerResult<null>> {
    const path = partner.profile.revocationPath;
    if (path === null) return failure('rejected', 'the partner has no revocation endpoint');
    const form = new URLSearchParams({ token, token_type_hint: hint });
    return this.authorized(partner, { operation: 'revoke', ...options }, { path, form, read: readRevocationResponse });
  }

  /** Reads the user info of a token (specification, User info endpoint). */
  async userInfo(
    partner: PartnerConnection,
    accessToken: string,
    options: PartnerCallOptions = {},
  ): Promise<PartnerResult<PartnerUser>> {
    const request = {
      method: 'GET',
      url: `${partner.baseUrl}/oauth2/userinfo`,
      headers: { authorization: `Bearer ${accessToken}` },
    } as const;
    return this.ask(partner, { operation: 'user_info', ...options }, request, readUserInfoResponse);
  }

  /** Breakers of this instance that are not closed, by platform. */
  breakersNotClosed(): ReadonlyMap<string, Exclude<BreakerState, 'closed'>> {
    return this.breakers.notClosed();
  }

  async stop(): Promise<void> {
    this.breakers.stop();
    await this.http.stop();
  }

  private token(
    partner: PartnerConnection,
    form: URLSearchParams,
    asked: PartnerOperation,
  ): Promise<PartnerResult<TokenSet>> {
    return this.authorized(partner, asked, { path: '/oauth2/token', form, read: readTokenResponse });
  }

  /** A request that authenticates this client. */
  private async authorized<Value>(
    partner: PartnerConnection,
    asked: PartnerOperation,
    request: FormRequest<Value>,
  ): Promise<PartnerResult<Value>> {
    if (partner.profile.clientIdInBody) request.form.set('client_id', partner.clientId);
    const { platform, previousClientSecret: previous } = partner;
    if (previous === null) return this.authorizedOnce(partner, asked, request, 'current');
    const first = this.acceptedPrevious.get(platform) === previous ? 'previous' : 'current';
    const result = await this.authorizedOnce(partner, asked, request, first);
    if (result.ok || !refusesClient(result)) return result;
    // A refused client has used up neither code nor refresh token, so the other live secret may be tried.
    const other = first === 'current' ? 'previous' : 'current';
    const second = await this.authorizedOnce(partner, asked, request, other);
    if (second.ok && other === 'previous') this.acceptedPrevious.set(platform, previous);
    if (second.ok && other === 'current') this.acceptedPrevious.delete(platform);
    return second;
  }

  private authorizedOnce<Value>(
    partner: PartnerConnection,
    asked: PartnerOperation,
    { path, form, read }: FormRequest<Value>,
    which: 'current' | 'previous',
  ): Promise<PartnerResult<Value>> {
    const clientSecret = which === 'current' ? partner.clientSecret : (partner.previousClientSecret ?? '');
    const request = {
      method: 'POST',
      url: `${partner.baseUrl}${path}`,
      headers: {
        authorization: basicAuthorization(partner.profile.clientAuth, partner.clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
      body: form.toString(),
    } as const;
    return this.ask(partner, { ...asked, clientSecret: which }, request, read);
  }

  private async ask<Value>(
    partner: PartnerConnection,
    asked: PartnerOperation,
    request: UnboundRequest,
    read: (response: RawResponse) => PartnerResult<Value>,
  ): Promise<PartnerResult<Value>> {
    this.metrics.began(partner.platform, asked.operation);
    const { answer, at, durationMs } = await this.send(partner, asked, request);
    const result = answer.ok ? read(answer.value) : answer;
    this.report(partner, asked, result);
    asked.record?.({
      ...{ operation: asked.operation, at, durationMs },
      outcome: result.ok ? 'ok' : result.kind,
      reason: result.ok ? null : result.reason,
      partnerCode: (result.ok ? null : result.partnerCode) ?? null,
      sent: answer.ok || answer.notSent !== true,
      clientSecret: asked.clientSecret ?? null,
      secretName: asked.clientSecret === undefined ? null : partner.secretNames[asked.clientSecret],
      request: describeRequest(request),
      response: answer.ok ? describeResponse(answer.value) : statusOnly(answer),
    });
    return result;
  }

  private async send(
    partner: PartnerConnection,
    { operation, deadline }: PartnerOperation,
    request: UnboundRequest,
  ): Promise<TimedAnswer> {
    const { platform, profile } = partner;
    const timeoutMs = Math.floor(Math.min(profile.timeoutMs, deadline?.leftMs() ?? Infinity));
    const times = { at: new Date(), durationMs: 0 };
    if (timeoutMs <= 0) {
      const reason = 'no time is left for a request to the partner';
      return { ...times, answer: failure('unavailable', reason, { notSent: true }) };
    }
    const answer = await this.breakers.send(platform, timeoutMs, async (leftMs) => {
      times.at = new Date();
      const beginMs = performance.now();
      const received = await this.http.send({ ...request, platform, timeoutMs: leftMs });
      times.durationMs = Math.round(performance.now() - beginMs);
      this.metrics.answered(platform, operation, times.durationMs);
      return received;
    });
    return { ...times, answer };
  }

  private report(
    { platform }: PartnerConnection,
    { operation }: PartnerOperation,
    result: PartnerResult<unknown>,
  ): void {
    this.metrics.ended(platform, operation, result.ok ? 'ok' : result.kind);
    if (result.ok) return;
    const { kind, reason, status, partnerCode, retryAfterS } = result;
    this.logger.warn(
      { platform, operation, outcome: kind, reason, status, partner_code: partnerCode, retry_after_s: retryAfterS },
      'a request to a partner failed',
    );
  }
}

/** The answer to a request, when it was sent, and its time at the partner: without a wait for its turn. */
interface TimedAnswer {
  readonly answer: PartnerResult<RawResponse>;
  readonly at: Date;
  readonly durationMs: number;
}

/** A request before it has its connections and its time. */
type UnboundRequest = Omit<PartnerRequest, 'platform' | 'timeoutMs'>;

/** Some partners refuse a grant with 401 too: that says nothing against the client. */
function refusesClient({ kind, status, partnerCode }: PartnerFailure): boolean {
  return (
    kind === 'rejected' && (partnerCode === 'invalid_client' || (status === 401 && partnerCode !== 'invalid_grant'))
  );
}
