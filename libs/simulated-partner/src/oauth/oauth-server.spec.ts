import { createHash } from 'node:crypto';
import { GrantPolicy } from '../modes/mode';
import { ModeName, modeOf } from '../modes/modes';
import { OAuthPartner, newOAuthPartner } from './oauth-partner';
import { OAuthServer, TokenRequest, TokenResponse } from './oauth-server';

const redirectUri = 'https://podium.test/callback';
const basic = `Basic ${Buffer.from('podium:s%cr+et').toString('base64')}`;
const query = { client_id: 'podium', redirect_uri: redirectUri, response_type: 'code', state: 'st' };

describe('the sandbox partner follows the specification', () => {
  let nowMs = 1_000_000;
  let partner: OAuthPartner;
  let server: OAuthServer;
  const fox = { sub: 'acme-1', nickname: 'fox' };

  beforeEach(() => {
    partner = newOAuthPartner('acme');
    partner.accounts[fox.sub] = fox;
    partner.client = { client_id: 'podium', client_secret: 's%cr+et', redirect_url: redirectUri };
    server = new OAuthServer(
      () => undefined,
      () => nowMs,
    );
  });

  const codeFor = (more: Record<string, string> = {}): string => {
    const parameters = server.grant(partner, fox, { ...query, ...more });
    expect(parameters.get('state')).toBe('st');
    return parameters.get('code') ?? '';
  };
  const exchange = (form: TokenRequest, authorization = basic): TokenResponse =>
    server.token(partner, authorization, { grant_type: 'authorization_code', redirect_uri: redirectUri, ...form });
  const refresh = (refreshToken: string | undefined, mode: ModeName = 'rotating'): TokenResponse => {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return server.token(partner, basic, form, policyOf(mode));
  };

  it('shows nothing for a request whose client, redirect_uri, response_type or state is wrong', () => {
    expect(() => server.checkAuthorization(partner, query)).not.toThrow();
    for (const wrong of [
      { client_id: 'x' },
      { redirect_uri: `${redirectUri}/` },
      { response_type: 'token' },
      { state: '' },
    ])
      expect(() => server.checkAuthorization(partner, { ...query, ...wrong })).toThrow();
  });

  it('gives a token pair for a code once, within a minute, for the same redirect_uri and client', () => {
    const code = codeFor();
    expect(Object.keys(exchange({ code }))).toEqual(['access_token', 'refresh_token']);
    expect(() => exchange({ code })).toThrow('invalid_grant');
    const late = codeFor();
    nowMs += 61_000;
    expect(() => exchange({ code: late })).toThrow('invalid_grant');
    expect(() => exchange({ code: codeFor(), redirect_uri: 'https://else.test' })).toThrow('redirect_uri_mismatch');
    expect(() => exchange({ code: codeFor() }, 'Basic x')).toThrow('invalid_client');
    expect(() => exchange({ code: 'constructor', redirect_uri: undefined })).toThrow('invalid_grant');
  });

  it('checks the verifier of a code that was requested with PKCE', () => {
    const code_challenge = createHash('sha256').update('verifier').digest('base64url');
    expect(() => exchange({ code: codeFor({ code_challenge }), code_verifier: 'other' })).toThrow('invalid_grant');
    expect(() => exchange({ code: codeFor({ code_challenge }), code_verifier: 'verifier' })).not.toThrow();
  });

  it('returns the user of a live access token, and refreshes an expired one with the refresh token, once', () => {
    const tokens = exchange({ code: codeFor() });
    const info = (token: string): string => server.userInfo(partner, `Bearer ${token}`).nickname;
    expect(info(tokens.access_token)).toBe('fox');
    nowMs += 3_601_000;
    expect(() => info(tokens.access_token)).toThrow('invalid_token');
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(info(server.token(partner, basic, form).access_token)).toBe('fox');
    expect(() => server.token(partner, basic, form)).toThrow('invalid_grant');
  });

  it('isolates partners from each other', () => {
    const tokens = exchange({ code: codeFor() });
    const other = newOAuthPartner('other');
    expect(() => server.userInfo(other, `Bearer ${tokens.access_token}`)).toThrow('invalid_token');
  });

  describe('with a mode of its refresh tokens', () => {
    it('ends the grant when a rotated token is sent again, if it detects reuse', () => {
      const first = exchange({ code: codeFor() });
      const second = refresh(first.refresh_token, 'reuse-ends-grant');
      expect(() => refresh(first.refresh_token, 'reuse-ends-grant')).toThrow('invalid_grant');
      expect(() => refresh(second.refresh_token, 'reuse-ends-grant')).toThrow('invalid_grant');
      expect(() => server.userInfo(partner, `Bearer ${second.access_token}`)).toThrow('invalid_token');
    });

    it('gives the same answer again within a grace period, and ends the grant after it', () => {
      const first = exchange({ code: codeFor() });
      const second = refresh(first.refresh_token, 'grace-period');
      expect(refresh(first.refresh_token, 'grace-period')).toEqual(second);
      nowMs += 61_000;
      expect(() => refresh(first.refresh_token, 'grace-period')).toThrow('invalid_grant');
      expect(() => refresh(second.refresh_token, 'grace-period')).toThrow('invalid_grant');
    });

    it('does not repeat an answer whose tokens were replaced since', () => {
      const first = exchange({ code: codeFor() });
      const second = refresh(first.refresh_token, 'grace-period');
      refresh(second.refresh_token, 'grace-period');
      expect(() => refresh(first.refresh_token, 'grace-period')).toThrow('invalid_grant');
    });

    it.each([
      ['not-rotating', undefined],
      ['same-refresh-token', 'the same'],
    ] as const)('keeps a refresh token valid: %s', (mode, sent) => {
      const first = exchange({ code: codeFor() });
      const second = refresh(first.refresh_token, mode);
      expect(second.refresh_token).toBe(sent && first.refresh_token);
      expect(second.access_token).not.toBe(first.access_token);
      expect(refresh(first.refresh_token, mode).access_token).not.toBe(second.access_token);
    });

    it('repeats an access token, which ends when it would have ended: same-access-token', () => {
      const first = exchange({ code: codeFor() });
      nowMs += 3_000_000;
      const second = refresh(first.refresh_token, 'same-access-token');
      expect(second.access_token).toBe(first.access_token);
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect(server.userInfo(partner, `Bearer ${second.access_token}`)).toEqual(fox);
      nowMs += 601_000;
      expect(() => server.userInfo(partner, `Bearer ${second.access_token}`)).toThrow('invalid_token');
    });

    it('refuses refresh tokens that have expired', () => {
      const first = exchange({ code: codeFor() });
      expect(() => refresh(first.refresh_token, 'refresh-expired')).toThrow('invalid_grant');
      expect(server.userInfo(partner, `Bearer ${first.access_token}`)).toEqual(fox);
    });

    it('keeps a bounded number of used tokens', () => {
      let { refresh_token } = exchange({ code: codeFor() });
      for (let i = 0; i < 50; i++) ({ refresh_token } = refresh(refresh_token));
      expect(partner.tokens.length).toBe(21);
    });
  });

  it('ends a grant by a revocation of either of its tokens', () => {
    for (const token of ['access_token', 'refresh_token'] as const) {
      const tokens = exchange({ code: codeFor() });
      const newest = refresh(tokens.refresh_token);
      server.revoke(partner, basic, newest[token] ?? '');
      expect(() => refresh(newest.refresh_token)).toThrow('invalid_grant');
    }
    expect(() => server.revoke(partner, 'Basic x', 'token')).toThrow('invalid_client');
  });
});

function policyOf(name: ModeName): GrantPolicy {
  const mode = modeOf(name);
  if (mode.kind !== 'grants') throw new Error(`${name} is no mode of refresh tokens`);
  return mode.policy;
}
