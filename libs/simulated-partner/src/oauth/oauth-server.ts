import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { GrantPolicy } from '../modes/mode';
import { ModeName } from '../modes/modes';
import { rotating } from '../modes/refreshes';
import { Account, Grant, OAuthPartner, Tokens } from './oauth-partner';
import { PartnerRefusal } from './partner-refusal';
import { endFamily, findPair, replacePair } from './refresh-tokens';

/** The fields of the specification's token request. */
export interface TokenRequest {
  grant_type?: string;
  code?: string;
  redirect_uri?: string;
  refresh_token?: string;
  code_verifier?: string;
}

/** The fields of the specification's token response; some partners send no refresh token with a refresh. */
export interface TokenResponse {
  access_token: string;
  refresh_token?: string;
}

type Query = Record<string, string | undefined>;

const codeLifetimeMs = 60_000;

/** The partner's side of the linking flow, as specified. */
export class OAuthServer {
  constructor(
    /** Called when a partner's state has changed and is to be stored. */
    private readonly changed: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Checks an authorization request before anything is shown; an invalid redirect_uri is never used for a redirect. */
  checkAuthorization(partner: OAuthPartner, query: Query): void {
    if (!partner.client || query.client_id !== partner.client.client_id)
      throw new PartnerRefusal(400, 'unknown_client');
    if (query.redirect_uri !== partner.client.redirect_url) throw new PartnerRefusal(400, 'redirect_uri_mismatch');
    if (query.response_type !== 'code') throw new PartnerRefusal(400, 'unsupported_response_type');
    if (!query.state) throw new PartnerRefusal(400, 'state_missing');
  }

  /** Issues a code for a logged-in account and returns the parameters of the redirect. */
  grant(partner: OAuthPartner, account: Account, query: Query, mode?: ModeName): URLSearchParams {
    const code = randomBytes(24).toString('base64url');
    partner.grants[code] = {
      sub: account.sub,
      redirect_uri: query.redirect_uri ?? '',
      expires_at: this.now() + codeLifetimeMs,
      ...(query.code_challenge ? { code_challenge: query.code_challenge } : {}),
      ...(mode === undefined ? {} : { mode }),
    };
    this.changed();
    return new URLSearchParams({ code, state: query.state ?? '' });
  }

  /** Exchanges a code or refreshes; every failure is a 4XX. */
  token(
    partner: OAuthPartner,
    authorization: string | undefined,
    form: TokenRequest,
    policy: GrantPolicy = rotating,
  ): TokenResponse {
    this.checkClient(partner, authorization);
    if (form.grant_type === 'authorization_code') return this.exchange(partner, form);
    if (form.grant_type !== 'refresh_token') throw new PartnerRefusal(400, 'unsupported_grant_type');
    return this.refresh(partner, form.refresh_token ?? '', policy);
  }

  /** The account of an access token. */
  userInfo(partner: OAuthPartner, authorization: string | undefined): Account {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    const tokens = partner.tokens.find(({ access_token, used_at }) => access_token === token && used_at === undefined);
    if (!tokens || tokens.access_expires_at < this.now()) throw new PartnerRefusal(401, 'invalid_token');
    return partner.accounts[tokens.sub];
  }

  /** Ends the grant of a token (RFC 7009); a token that is not known counts as revoked. */
  revoke(partner: OAuthPartner, authorization: string | undefined, token: string): void {
    this.checkClient(partner, authorization);
    const pair = partner.tokens.find((each) => each.access_token === token || each.refresh_token === token);
    if (!pair) return;
    endFamily(partner, pair);
    this.changed();
  }

  /** The mode that was chosen at the log-in to which a request belongs. */
  modeOfLogIn(
    partner: OAuthPartner,
    { form, authorization }: { form?: TokenRequest; authorization?: string },
  ): ModeName | undefined {
    if (form?.code !== undefined) return grantOf(partner, form.code)?.mode;
    if (form) return partner.tokens.find((each) => each.refresh_token === form.refresh_token)?.mode;
    return partner.tokens.find((each) => `Bearer ${each.access_token}` === authorization)?.mode;
  }

  private checkClient(partner: OAuthPartner, authorization: string | undefined): void {
    const given = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    const client = partner.client;
    const expected = client ? `${client.client_id}:${client.client_secret}` : '';
    if (!client || !equal(Buffer.from(given, 'base64').toString('utf8'), expected))
      throw new PartnerRefusal(401, 'invalid_client');
  }

  private exchange(partner: OAuthPartner, form: TokenRequest): TokenResponse {
    const grant = form.code ? grantOf(partner, form.code) : undefined;
    if (form.code) delete partner.grants[form.code];
    if (!grant || grant.expires_at < this.now()) throw new PartnerRefusal(400, 'invalid_grant');
    if (form.redirect_uri !== grant.redirect_uri) throw new PartnerRefusal(400, 'redirect_uri_mismatch');
    if (grant.code_challenge && !equal(challengeOf(form.code_verifier ?? ''), grant.code_challenge))
      throw new PartnerRefusal(400, 'invalid_grant');
    const tokens = this.newPair(partner, { ...grant, family: randomBytes(9).toString('base64url') });
    partner.tokens.push(tokens);
    this.changed();
    return { access_token: tokens.access_token, refresh_token: tokens.refresh_token };
  }

  private refresh(partner: OAuthPartner, refreshToken: string, policy: GrantPolicy): TokenResponse {
    try {
      const { pair, successor } = findPair(partner, refreshToken, policy, this.now());
      if (successor) return { access_token: successor.access_token, refresh_token: successor.refresh_token };
      const next = this.newPair(partner, { ...pair, family: pair.family ?? randomBytes(9).toString('base64url') });
      if (policy.accessToken === 'same') {
        const { access_token, access_expires_at } = pair;
        Object.assign(next, { access_token, access_expires_at });
      }
      pair.family = next.family;
      replacePair(partner, pair, next, policy, this.now());
      if (policy.refreshToken === 'absent') return { access_token: next.access_token };
      const kept = policy.refreshToken === 'same' ? pair.refresh_token : next.refresh_token;
      return { access_token: next.access_token, refresh_token: kept };
    } finally {
      this.changed();
    }
  }

  private newPair(partner: OAuthPartner, { sub, family, mode }: Pick<Tokens, 'sub' | 'family' | 'mode'>): Tokens {
    return {
      ...{ sub, family, ...(mode === undefined ? {} : { mode }) },
      access_token: randomBytes(24).toString('base64url'),
      refresh_token: randomBytes(24).toString('base64url'),
      access_expires_at: this.now() + partner.access_token_lifetime_s * 1000,
    };
  }
}

/** The grant of a code, which anybody may choose: `constructor` is none. */
function grantOf({ grants }: OAuthPartner, code: string): Grant | undefined {
  return Object.hasOwn(grants, code) ? grants[code] : undefined;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function equal(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
