import { ProviderEntries, ProviderStore } from '@podium/simulated-partner/strict/provider-store';
import {
  StrictClient,
  createStrictPartner,
  logInResult,
  registerStrictClient,
  strictAuthorizationPath,
  strictProfile,
} from '@podium/simulated-partner/strict/strict-partner';
import { FastifyInstance } from 'fastify';
import Provider, { JWK } from 'oidc-provider';
import { mountProvider } from '../identity/mount-provider';
import { SigningKey } from '../identity/signing-key';
import { mountLogInPages } from '../pages/log-in-pages';
import { escapeHtml, page } from '../pages/page';
import { JsonFile } from '../storage/json-file';

/** Where the strict partner is, below the sandbox's address. */
const strictPartnerPath = '/strict-partner';

interface Options {
  readonly sandboxUrl: string;
  /** The service's, where users begin. */
  readonly publicUrl: string;
  readonly cookieKey: string;
  readonly key: SigningKey;
  readonly file: JsonFile<ProviderEntries>;
  readonly accessTokenLifetimeS: number;
}

/**
 * Mounts a partner that is a certified OpenID provider: its endpoints, its log-in page, and for scripts
 * `/dev/strict-partner`, which registers the service's client and says what an integration with it needs.
 */
export async function mountStrictPartner(fastify: FastifyInstance, options: Options): Promise<void> {
  const { sandboxUrl, publicUrl, cookieKey, key, file, accessTokenLifetimeS } = options;
  const { adapter } = new ProviderStore(file.value, () => file.changed());
  const baseUrl = `${sandboxUrl}${strictPartnerPath}`;
  const provider = createStrictPartner({
    ...{ issuerUrl: baseUrl, adapter, cookieKey, jwk: key.jwk as JWK, accessTokenLifetimeS },
    interactionUrl: (uid) => `${strictPartnerPath}-log-in/${uid}`,
  });
  await mountProvider(fastify, provider, strictPartnerPath);
  await mountLogInPages(fastify, `${publicUrl}/connect`, (scope) => mountLogIn(scope, provider));
  fastify.get('/dev/strict-partner', async () => ({
    base_url: baseUrl,
    authorization_url: `${baseUrl}${strictAuthorizationPath}`,
    profile: { ...strictProfile, revocation_path: '/oauth2/revoke' },
  }));
  fastify.get('/dev/strict-partner/clients/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const isKnown = (await adapter('Client').find(id)) !== undefined;
    return reply.code(isKnown ? 200 : 404).send({ client_id: id, registered: isKnown });
  });
  fastify.put('/dev/strict-partner/clients/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const { client_secret, redirect_url } = request.body as Partial<StrictClient>;
    if (!client_secret || !redirect_url)
      return reply.code(400).send({ error: 'client_secret and redirect_url are required' });
    await registerStrictClient(adapter, { client_id: id, client_secret, redirect_url });
    return reply.send({ client_id: id, registered: true });
  });
}

function mountLogIn(fastify: FastifyInstance, provider: Provider): void {
  const path = `${strictPartnerPath}-log-in/:uid`;

  fastify.get(path, async (request, reply) => {
    const { uid } = await provider.interactionDetails(request.raw, reply.raw);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        page(
          'Log in at Strict Games',
          `<h1>Strict Games</h1>
<p class="banner">Sandbox partner on a certified OpenID provider: any account name works, there is no password.</p>
<form method="post" action="${strictPartnerPath}-log-in/${escapeHtml(uid)}">
<label>Account <input name="login" required maxlength="64" autocomplete="username" autofocus value="strict-hare"></label>
<button type="submit" name="action" value="allow">Log in and connect</button>
<button type="submit" name="action" value="fail" class="plain" formnovalidate>Decline</button></form>`,
        ),
      );
  });

  fastify.post(path, async (request, reply) => {
    const { params } = await provider.interactionDetails(request.raw, reply.raw);
    const { login, action } = request.body as { login?: string; action?: string };
    const account = (login ?? '').trim().slice(0, 64);
    const result =
      action === 'fail' || account === ''
        ? { error: 'access_denied', error_description: 'The log-in was declined.' }
        : await logInResult(provider, String(params.client_id), account);
    reply.hijack();
    await provider.interactionFinished(request.raw, reply.raw, result);
  });
}
