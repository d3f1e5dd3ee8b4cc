import fastifyFormbody from '@fastify/formbody';
import { ensureUrlParse } from '@podium/simulated-partner/strict/strict-partner';
import fastify, { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { createIdentityProvider } from '../identity/identity-provider';
import { mountIdentity } from '../identity/identity-routes';
import { JsonFile } from '../storage/json-file';
import { mountStrictPartner } from '../strict-partner/strict-partner-routes';

describe('the log-in pages of the sandbox', () => {
  let server: FastifyInstance;

  beforeAll(async () => {
    ensureUrlParse();
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: 'sandbox', alg: 'RS256', use: 'sig' };
    const key = { jwk, privateKey };
    const addresses = { sandboxUrl: 'http://localhost:7405', publicUrl: 'http://localhost:7400' };
    const identity = {
      ...{ issuerUrl: `${addresses.sandboxUrl}/idp`, publicUrl: addresses.publicUrl },
      ...{ clientId: 'podium-connect', clientSecret: 'canary-secret-of-connect', audience: 'podium-api' },
    };
    server = fastify();
    await server.register(fastifyFormbody);
    await mountIdentity(server, createIdentityProvider(identity, key), key, identity);
    const file = new JsonFile('/nowhere', {});
    const strict = { ...addresses, cookieKey: 'canary-cookie-key', key, file, accessTokenLifetimeS: 300 };
    await mountStrictPartner(server, strict);
  });
  afterAll(() => server.close());

  it.each(['/idp-interaction/gone', '/strict-partner-log-in/gone'])(
    'of %s say that a log-in is over, and where to begin again',
    async (url) => {
      const body = { login: 'demo-user' };
      for (const answer of [
        await server.inject({ url }),
        await server.inject({ method: 'POST', url, payload: body }),
      ]) {
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
        expect(answer.body).toContain('This log-in is over');
        expect(answer.body).toContain('href="http://localhost:7400/connect"');
      }
    },
  );
});
