import { createHash } from 'node:crypto';
import { logInAtStrictPartner } from './strict-log-in';
import { StrictPartnerServer } from './strict-partner-server';

const redirectUrl = 'https://podium.test/callback';
const client = { client_id: 'podium', client_secret: 's%cr+et:x', redirect_url: redirectUrl };
const verifier = 'v'.repeat(43);

describe('a strict partner', () => {
  const server = new StrictPartnerServer();

  beforeAll(async () => {
    await server.start();
    await server.register(client);
  });
  afterAll(() => server.stop());

  const authorizationUrl = (change: Record<string, string> = {}): string => {
    const query = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri: redirectUrl, response_type: 'code', state: 'st' },
      ...{ scope: 'openid offline_access', prompt: 'consent', code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      ...change,
    });
    return `${server.baseUrl}/authorize?${query}`;
  };

  const ask = async (form: Record<string, string>, encode = formEncode): Promise<[number, Record<string, string>]> => {
    const credentials = `${encode(client.client_id)}:${encode(client.client_secret)}`;
    const answer = await fetch(`${server.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams(form),
    });
    return [answer.status, (await answer.json()) as Record<string, string>];
  };

  async function codeOf(account: string): Promise<Record<string, string>> {
    const back = new URL(await logInAtStrictPartner(authorizationUrl(), redirectUrl, account));
    const code = back.searchParams.get('code') ?? '';
    expect(back.searchParams.get('state')).toBe('st');
    return { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifier };
  }

  const refresh = (refresh_token: string) => ask({ grant_type: 'refresh_token', refresh_token });

  it('links with a scope, consent and form-encoded credentials', async () => {
    const [status, tokens] = await ask(await codeOf('fox'));
    expect([status, tokens.token_type]).toEqual([200, 'Bearer']);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const user = await fetch(`${server.baseUrl}/oauth2/userinfo`, { headers });
    expect(await user.json()).toEqual({ sub: 'fox', nickname: 'fox' });
  });

  it('refuses raw credentials that have a percent sign or a plus', async () => {
    expect(await ask(await codeOf('raw'), (text) => text)).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  });

  it('ends the grant when a refresh token is sent again', async () => {
    const [, first] = await ask(await codeOf('hare'));
    const [status, second] = await refresh(first.refresh_token);
    expect([status, server.grants.get('hare')]).toEqual([200, { rotations: 1, isRevoked: false }]);
    expect(await refresh(first.refresh_token)).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect((await refresh(second.refresh_token))[0]).toBe(400);
    expect(server.grants.get('hare')).toEqual({ rotations: 1, isRevoked: true });
  });

  it.each(['reset', 'cut'] as const)('loses an answer after it rotated the token: %s', async (loss) => {
    const [, { refresh_token }] = await ask(await codeOf(loss));
    server.loseAnswer = () => loss;
    await expect(refresh(refresh_token)).rejects.toThrow();
    server.loseAnswer = () => null;
    expect(server.grants.get(loss)).toEqual({ rotations: 1, isRevoked: false });
  });
});

function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
