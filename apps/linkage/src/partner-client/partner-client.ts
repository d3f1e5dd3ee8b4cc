import CircuitBreaker from 'opossum';
import type { Logger } from '@podium/runtime/log';
import { BoundedLabel, Counter, Histogram, Registry } from '@podium/runtime/metrics';
import { Deadline } from './deadline';
import { basicAuthorization } from '@podium/partner-check/protocol/basic-authorization';
import {
  RawResponse,
  readRevocationResponse,
  readTokenResponse,
  readUserInfoResponse,
} from '@podium/partner-check/protocol/partner-answers';
import { PartnerHttp, PartnerRequest, connectionsMax } from './partner-http';
import { PartnerConnection } from './partner-profile';
import {
  PartnerFailure,
  PartnerResult,
  PartnerUser,
  TokenSet,
  failure,
} from '@podium/partner-check/protocol/partner-result';

/** An operation at a partner, and the deadline of the user who waits for it, if any. */
interface PartnerOperation {
  readonly operation: 'exchange' | 'refresh' | 'revoke' | 'user_info';
  readonly deadline?: Deadline;
}

/** A form for one of a partner's endpoints, and how its response is read. */
interface FormRequest<Value> {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly read: (response: RawResponse) => PartnerResult<Value>;
}

type Breaker = CircuitBreaker<[PartnerRequest], PartnerResult<RawResponse>>;

/**
 * The OAuth 2.0 client of the specification (RFC 6749 where it applies) for partners' token and user info endpoints. Each
 * partner has its own circuit breaker and concurrency limit. A partner's error never throws.
 */
export class PartnerClient {
  private readonly breakers = new Map<string, Breaker>();
  private readonly requests: Counter<'platform' | 'operation' | 'outcome'>;
  private readonly seconds: Histogram<'platform' | 'operation'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly http: PartnerHttp,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.requests = new Counter({
      name: 'linkage_partner_requests_total',
      help: 'Requests to partners by outcome',
      labelNames: ['platform', 'operation', 'outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'linkage_partner_request_seconds',
      help: 'Time of a request to a partner',
      labelNames: ['platform', 'operation'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /** Exchanges a one-time code (specification, Token request, authorization_code). */
  async exchangeCode(
    partner: PartnerConnection,
    grant: { code: string; redirectUri: string; codeVerifier: string | null },
    deadline?: Deadline,
  ): Promise<PartnerResult<TokenSet>> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: grant.redirectUri,
    });
    if (grant.codeVerifier !== null) form.set('code_verifier', grant.codeVerifier);
    return this.token(partner, form, { operation: 'exchange', deadline });
  }

  /** Refreshes an access token (specification, Token request, refresh_token). */
  async refresh(partner: PartnerConnection, refreshToken: string): Promise<PartnerResult<TokenSet>> {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    return this.token(partner, form, { operation: 'refresh' });
  }

  /** Revokes a token (RFC 7009); a token that is not valid any more counts as revoked there. */
  async revoke(
    partner: PartnerConnection,
    token: string,
    hint: 'refresh_token' | 'access_token',
  ): Promise<PartnerResult<null>> {
    const path = partner.profile.revocationPath;
    if (path === null) return failure('rejected', 'the partner has no revocation endpoint');
    const form = new URLSearchParams({ token, token_type_hint: hint });
    return this.authorized(partner, { operation: 'revoke' }, { path, form, read: readRevocationResponse });
  }

  /** Reads the user info of a token (specification, User info endpoint). */
  async userInfo(
    partner: PartnerConnection,
    accessToken: string,
    deadline?: Deadline,
  ): Promise<PartnerResult<PartnerUser>> {
    const asked = { operation: 'user_info', deadline } as const;
    const answer = await this.send(partner, asked, {
      method: 'GET',
      url: `${partner.baseUrl}/oauth2/userinfo`,
      headers: { authorization: `Bearer ${accessToken}` },
    });
    return this.reported(partner, asked, answer.ok ? readUserInfoResponse(answer.value) : answer);
  }

  async stop(): Promise<void> {
    for (const breaker of this.breakers.values()) breaker.shutdown();
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
    const result = await this.authorizedOnce(partner, asked, request, partner.clientSecret);
    if (result.ok || !refusesClient(result) || partner.previousClientSecret === null) return result;
    // A refused client has used up neither code nor refresh token, so the other live secret may be tried.
    return this.authorizedOnce(partner, asked, request, partner.previousClientSecret);
  }

  private async authorizedOnce<Value>(
    partner: PartnerConnection,
    asked: PartnerOperation,
    { path, form, read }: FormRequest<Value>,
    clientSecret: string,
  ): Promise<PartnerResult<Value>> {
    const answer = await this.send(partner, asked, {
      method: 'POST',
      url: `${partner.baseUrl}${path}`,
      headers: {
        authorization: basicAuthorization(partner.profile.clientAuth, partner.clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
      body: form.toString(),
    });
    return this.reported(partner, asked, answer.ok ? read(answer.value) : answer);
  }

  private async send(
    partner: PartnerConnection,
    { operation, deadline }: PartnerOperation,
    request: Omit<PartnerRequest, 'platform' | 'timeoutMs'>,
  ): Promise<PartnerResult<RawResponse>> {
    const { platform, profile } = partner;
    const timeoutMs = Math.floor(Math.min(profile.timeoutMs, deadline?.leftMs() ?? Infinity));
    if (timeoutMs <= 0) return failure('unavailable', 'no time is left for a request to the partner');
    const end = this.seconds.startTimer({ platform: this.platforms.of(platform), operation });
    try {
      return await this.breakerOf(platform).fire({ ...request, platform, timeoutMs });
    } catch (error) {
      if (error instanceof UnavailableAnswer) return error.result;
      const code = (error as { code?: unknown }).code;
      const reason =
        code === 'ESEMLOCKED'
          ? 'too many requests to the partner are in progress'
          : 'the circuit breaker of the partner is open';
      return failure('unavailable', reason);
    } finally {
      end();
    }
  }

  private breakerOf(platform: string): Breaker {
    const known = this.breakers.get(platform);
    if (known) return known;
    const breaker: Breaker = new CircuitBreaker((request: PartnerRequest) => this.attempt(request), {
      name: platform,
      timeout: false,
      // A further request would have to wait for a connection.
      capacity: connectionsMax,
      volumeThreshold: 10,
      errorThresholdPercentage: 60,
      rollingCountTimeout: 10_000,
      resetTimeout: 5000,
    });
    breaker.on('open', () =>
      this.logger.warn({ platform }, 'the partner does not respond; opening its circuit breaker'),
    );
    breaker.on('close', () => this.logger.info({ platform }, 'the partner responds again'));
    this.breakers.set(platform, breaker);
    return breaker;
  }

  /** Only signs that the partner is down open its breaker; a refusal of one user's code does not. */
  private async attempt(request: PartnerRequest): Promise<PartnerResult<RawResponse>> {
    const result = await this.http.send(request);
    const down = result.ok ? result.value.status >= 500 : result.kind === 'unavailable';
    if (down) throw new UnavailableAnswer(result);
    return result;
  }

  private reported<Value>(
    { platform }: PartnerConnection,
    { operation }: PartnerOperation,
    result: PartnerResult<Value>,
  ): PartnerResult<Value> {
    this.requests.inc({ platform: this.platforms.of(platform), operation, outcome: result.ok ? 'ok' : result.kind });
    if (!result.ok) {
      const { kind, reason, status, partnerCode, retryAfterS } = result;
      this.logger.warn(
        { platform, operation, outcome: kind, reason, status, partner_code: partnerCode, retry_after_s: retryAfterS },
        'a request to a partner failed',
      );
    }
    return result;
  }
}

class UnavailableAnswer extends Error {
  constructor(readonly result: PartnerResult<RawResponse>) {
    super('the partner is unavailable');
  }
}

function refusesClient(result: PartnerFailure): boolean {
  return result.kind === 'rejected' && (result.status === 401 || result.partnerCode === 'invalid_client');
}
