import fastifyFormbody from '@fastify/formbody';
import { ensureUrlParse } from '@podium/simulated-partner/strict/strict-partner';
import fastify, { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { createIdentityProvider } from '../src/identity/identity-provider';
import { mountIdentity } from '../src/identity/identity-routes';

/** Where the service of the provider's only client is reached. */
export const publicUrl = 'http://localhost:7400';

/** A server with the sandbox identity provider, with a key of its own; it does not listen yet. */
export async function identityServer(): Promise<FastifyInstance> {
  ensureUrlParse();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'sandbox', alg: 'RS256', use: 'sig' };
  const key = { jwk, privateKey };
  const identity = {
    ...{ issuerUrl: 'http://localhost:7405/idp', publicUrl },
    ...{ clientId: 'podium-connect', clientSecret: 'canary-secret-of-connect', audience: 'podium-api' },
  };
  const server = fastify();
  await server.register(fastifyFormbody);
  await mountIdentity(server, createIdentityProvider(identity, key), key, identity);
  return server;
}

/** Where the service sends a browser to log in. */
export function logInPath(): string {
  return `/idp/auth?${new URLSearchParams({
    ...{ client_id: 'podium-connect', response_type: 'code', scope: 'openid', state: 'a' },
    ...{ redirect_uri: `${publicUrl}/connect/callback`, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  })}`;
}

/** Where the service sends a browser to log out. */
export function logOutPath(): string {
  return `/idp/session/end?${new URLSearchParams({
    ...{ client_id: 'podium-connect', post_logout_redirect_uri: `${publicUrl}/connect` },
  })}`;
}
