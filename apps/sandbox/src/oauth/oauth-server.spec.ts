import { createHash } from 'node:crypto';
import { JsonFile } from '../storage/json-file';
import { OAuthServer, TokenRequest } from './oauth-server';
import { Partner } from '../partners/partner';
import { Partners } from '../partners/partners';

const redirectUri = 'https://podium.test/callback';
const basic = `Basic ${Buffer.from('podium:s%cr+et').toString('base64')}`;
const query = { client_id: 'podium', redirect_uri: redirectUri, response_type: 'code', state: 'st' };

describe('the sandbox partner follows the specification', () => {
  let nowMs = 1_000_000;
  let partner: Partner;
  let partners: Partners;
  let server: OAuthServer;

  beforeEach(() => {
    const file = new JsonFile<Record<string, Partner>>('/nowhere', {});
    jest.spyOn(file, 'changed').mockReturnValue();
    partners = new Partners(file);
    partner = partners.of('acme');
    partner.client = { client_id: 'podium', client_secret: 's%cr+et', redirect_url: redirectUri };
    server = new OAuthServer(partners, () => nowMs);
  });

  const codeFor = (more: Record<string, string> = {}): string => {
    const target = new URL(server.grant(partner, partners.account(partner, 'fox'), { ...query, ...more }));
    expect(target.searchParams.get('state')).toBe('st');
    return target.searchParams.get('code') ?? '';
  };
  const exchange = (form: TokenRequest, authorization = basic): { access_token: string; refresh_token: string } =>
    server.token(partner, authorization, { grant_type: 'authorization_code', redirect_uri: redirectUri, ...form });

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

  it('redirects a failure with error alone', () => {
    expect(server.refuse(query, 'login_failed')).toBe(`${redirectUri}?error=login_failed`);
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
    const other = partners.of('other');
    expect(() => server.userInfo(other, `Bearer ${tokens.access_token}`)).toThrow('invalid_token');
  });
});
