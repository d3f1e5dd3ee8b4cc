import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Provider from 'oidc-provider';
import { mountLogInPages } from '../pages/log-in-pages';
import { escapeHtml, page } from '../pages/page';
import { signAccessToken } from './access-token';
import { IdentityOptions } from './identity-provider';
import { mountProvider } from './mount-provider';
import { SigningKey } from './signing-key';

/** Mounts the provider under `/idp`, its log-in page, and `/dev/tokens`, which issues a token for any name. */
export async function mountIdentity(
  fastify: FastifyInstance,
  provider: Provider,
  key: SigningKey,
  options: IdentityOptions,
): Promise<void> {
  await mountProvider(fastify, provider, '/idp');
  await mountLogInPages(fastify, `${options.publicUrl}/connect`, (scope) => {
    scope.get('/idp-interaction/:uid', (request, reply) => showLogIn(provider, request, reply));
    scope.post('/idp-interaction/:uid', (request, reply) => finishLogIn(provider, request, reply));
  });
  fastify.post('/dev/tokens', (request, reply) => mintToken(request, reply, key, options));
}

async function showLogIn(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  fault?: string,
): Promise<FastifyReply> {
  const details = await provider.interactionDetails(request.raw, reply.raw);
  const describedBy = fault === undefined ? '' : ' aria-invalid="true" aria-describedby="fault"';
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      page(
        'Log in',
        `<h1>Log in</h1>
<p class="banner">Sandbox identity provider: any name works, there is no password.</p>
<form method="post" action="/idp-interaction/${escapeHtml(details.uid)}">
<label>User name <input name="login" required maxlength="64" autocomplete="username" autofocus value="demo-user"${describedBy}></label>
${fault === undefined ? '' : `<p id="fault" class="error" role="alert">${escapeHtml(fault)}</p>`}
<button type="submit">Log in</button></form>`,
      ),
    );
}

async function finishLogIn(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { login } = (request.body ?? {}) as { login?: string };
  const accountId = (login ?? '').trim();
  if (accountId === '' || accountId.length > 64) {
    await showLogIn(provider, request, reply.code(400), 'Enter a user name of 1 to 64 characters, not only spaces.');
    return;
  }
  // Throws when the log-in is over; after the hijack nobody would answer that.
  await provider.interactionDetails(request.raw, reply.raw);
  reply.hijack();
  await provider.interactionFinished(request.raw, reply.raw, { login: { accountId, remember: true } });
}

interface TokenRequest {
  sub?: unknown;
  podium_roles?: unknown;
  lifetime_s?: unknown;
}

async function mintToken(
  request: FastifyRequest,
  reply: FastifyReply,
  key: SigningKey,
  options: IdentityOptions,
): Promise<object> {
  const { sub, podium_roles, lifetime_s = 7 * 24 * 3600 } = (request.body ?? {}) as TokenRequest;
  const refused = (problem: string): FastifyReply => reply.code(400).send({ error: problem });
  if (typeof sub !== 'string' || sub.trim() === '') return refused('sub must be the name of a user or operator');
  if (podium_roles !== undefined && (typeof podium_roles !== 'object' || podium_roles === null))
    return refused('podium_roles must be an object with roles by organizer, such as {"*":"admin"}');
  if (typeof lifetime_s !== 'number' || !Number.isInteger(lifetime_s))
    return refused('lifetime_s must be a whole number of seconds');
  const token = await signAccessToken({ sub, podium_roles, lifetimeS: lifetime_s }, key, options);
  return { access_token: token, token_type: 'Bearer', expires_in: lifetime_s };
}
