import { createHash } from 'node:crypto';
import fastifyFormbody from '@fastify/formbody';
import { ensureUrlParse } from '@podium/simulated-partner/strict/strict-partner';
import fastify, { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { createIdentityProvider } from './identity-provider';
import { mountIdentity } from './identity-routes';

const publicUrl = 'http://localhost:7400';

describe('the log-out of the sandbox identity provider', () => {
  let server: FastifyInstance;
  let cookies: Map<string, string>;

  beforeAll(async () => {
    ensureUrlParse();
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: 'sandbox', alg: 'RS256', use: 'sig' };
    const key = { jwk, privateKey };
    const identity = {
      ...{ issuerUrl: 'http://localhost:7405/idp', publicUrl },
      ...{ clientId: 'podium-connect', clientSecret: 'canary-secret-of-connect', audience: 'podium-api' },
    };
    server = fastify();
    await server.register(fastifyFormbody);
    await mountIdentity(server, createIdentityProvider(identity, key), key, identity);
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    cookies = new Map();
    const interaction = await send(authorization);
    expect(interaction).toContain('/idp-interaction/');
    await send((await send(interaction, 'login=ada')) ?? '');
    expect(await send(authorization)).toContain(`${publicUrl}/connect/callback?code=`);
  });

  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
  const authorization = `/idp/auth?${new URLSearchParams({
    ...{ client_id: 'podium-connect', response_type: 'code', scope: 'openid', state: 'a' },
    ...{ redirect_uri: `${publicUrl}/connect/callback`, code_challenge: challenge, code_challenge_method: 'S256' },
  })}`;
  const logOut = `/idp/session/end?${new URLSearchParams({
    ...{ client_id: 'podium-connect', post_logout_redirect_uri: `${publicUrl}/connect` },
  })}`;

  /** As a browser with its cookies; returns where the answer leads. */
  async function send(address: string, form?: string): Promise<string> {
    return (await answerOf(address, form)).headers.location ?? '';
  }

  async function answerOf(address: string, form?: string): Promise<LightMyRequestResponse> {
    const { pathname, search } = new URL(address, 'http://localhost:7405');
    const headers = {
      ...{ host: 'localhost:7405', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await server.inject({
      ...{ method: form === undefined ? 'GET' : 'POST', url: pathname + search, headers, payload: form },
    });
    for (const { name, value } of answer.cookies) cookies.set(name, value);
    return answer;
  }

  it.each([
    ['ends the session', 'logout=yes', '/idp-interaction/'],
    ['leaves the session to a user who stays', '', `${publicUrl}/connect/callback?code=`],
  ])('asks on its own page, and %s', async (_, choice, next) => {
    const { statusCode, body } = await answerOf(logOut);
    expect([statusCode, /https?:\/\/(?!localhost)/.test(body)]).toEqual([200, false]);
    const [, action] = /action="([^"]+)"/.exec(body) ?? [];
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(body) ?? [];
    expect(await send(action, `xsrf=${xsrf}&${choice}`)).toBe(`${publicUrl}/connect`);
    expect(await send(authorization)).toContain(next);
  });
});
