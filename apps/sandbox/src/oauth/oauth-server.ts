import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Account, Partner, Tokens } from '../partners/partner';
import { Partners } from '../partners/partners';

/** A refusal of the partner's endpoints: 4XX with `{"error"}` (specification, Error body of the partner endpoints). */
export class PartnerRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
  ) {
    super(error);
  }
}

/** The fields of the specification's token request. */
export interface TokenRequest {
  grant_type?: string;
  code?: string;
  redirect_uri?: string;
  refresh_token?: string;
  code_verifier?: string;
}

const codeLifetimeMs = 60_000;

/** The partner's side of the linking flow, as specified. */
export class OAuthServer {
  constructor(
    private readonly partners: Partners,
    private readonly now: () => number = Date.now,
  ) {}

  /** Checks an authorization request before anything is shown; an invalid redirect_uri is never used for a redirect. */
  checkAuthorization(partner: Partner, query: Record<string, string | undefined>): void {
    if (!partner.client || query.client_id !== partner.client.client_id)
      throw new PartnerRefusal(400, 'unknown_client');
    if (query.redirect_uri !== partner.client.redirect_url) throw new PartnerRefusal(400, 'redirect_uri_mismatch');
    if (query.response_type !== 'code') throw new PartnerRefusal(400, 'unsupported_response_type');
    if (!query.state) throw new PartnerRefusal(400, 'state_missing');
  }

  /** Issues a code for a logged-in account and returns the address to redirect to. */
  grant(partner: Partner, account: Account, query: Record<string, string | undefined>): string {
    const code = randomBytes(24).toString('base64url');
    partner.grants[code] = {
      sub: account.sub,
      redirect_uri: query.redirect_uri ?? '',
      expires_at: this.now() + codeLifetimeMs,
      ...(query.code_challenge ? { code_challenge: query.code_challenge } : {}),
    };
    this.partners.changed();
    return withQuery(query.redirect_uri ?? '', { code, state: query.state ?? '' });
  }

  /** The failed redirect carries `error` alone (specification, Failed redirect). */
  refuse(query: Record<string, string | undefined>, error: string): string {
    return withQuery(query.redirect_uri ?? '', { error });
  }

  /** Exchanges a code or refreshes; every failure is a 4XX. */
  token(
    partner: Partner,
    authorization: string | undefined,
    form: TokenRequest,
  ): { access_token: string; refresh_token: string } {
    this.checkClient(partner, authorization);
    const sub = form.grant_type === 'authorization_code' ? this.redeem(partner, form) : this.refresh(partner, form);
    const tokens: Tokens = {
      sub,
      access_token: randomBytes(24).toString('base64url'),
      refresh_token: randomBytes(24).toString('base64url'),
      access_expires_at: this.now() + partner.access_token_lifetime_s * 1000,
    };
    partner.tokens.push(tokens);
    this.partners.changed();
    return { access_token: tokens.access_token, refresh_token: tokens.refresh_token };
  }

  /** The account of an access token. */
  userInfo(partner: Partner, authorization: string | undefined): Account {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    const tokens = partner.tokens.find((candidate) => candidate.access_token === token);
    if (!tokens || tokens.access_expires_at < this.now()) throw new PartnerRefusal(401, 'invalid_token');
    return partner.accounts[tokens.sub];
  }

  private checkClient(partner: Partner, authorization: string | undefined): void {
    const given = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    const client = partner.client;
    const expected = client ? `${client.client_id}:${client.client_secret}` : '';
    if (!client || !equal(Buffer.from(given, 'base64').toString('utf8'), expected))
      throw new PartnerRefusal(401, 'invalid_client');
  }

  private redeem(partner: Partner, form: TokenRequest): string {
    const grant = form.code ? partner.grants[form.code] : undefined;
    if (form.code) delete partner.grants[form.code];
    if (!grant || grant.expires_at < this.now()) throw new PartnerRefusal(400, 'invalid_grant');
    if (form.redirect_uri !== grant.redirect_uri) throw new PartnerRefusal(400, 'redirect_uri_mismatch');
    if (grant.code_challenge && !equal(challengeOf(form.code_verifier ?? ''), grant.code_challenge))
      throw new PartnerRefusal(400, 'invalid_grant');
    return grant.sub;
  }

  private refresh(partner: Partner, form: TokenRequest): string {
    if (form.grant_type !== 'refresh_token') throw new PartnerRefusal(400, 'unsupported_grant_type');
    const at = partner.tokens.findIndex((candidate) => candidate.refresh_token === form.refresh_token);
    if (at < 0) throw new PartnerRefusal(400, 'invalid_grant');
    const [old] = partner.tokens.splice(at, 1);
    return old.sub;
  }
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function equal(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
