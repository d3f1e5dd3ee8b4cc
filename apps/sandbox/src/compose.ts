import { Module } from '@nestjs/common';
import fastifyFormbody from '@fastify/formbody';
import { ProviderEntries } from '@podium/simulated-partner/strict/provider-store';
import { ensureUrlParse } from '@podium/simulated-partner/strict/strict-partner';
import { AppBase, ComposedApp, createHttpAdapter } from '@podium/runtime/app';
import type { FastifyInstance } from 'fastify';
import { sandboxFields } from './config';
import { mountConsole } from './console/console-routes';
import { mountModes } from './console/mode-routes';
import { IssuedAwards } from './console/issued-awards';
import { signAccessToken } from './identity/access-token';
import { createIdentityProvider } from './identity/identity-provider';
import { mountIdentity } from './identity/identity-routes';
import { openSigningKey } from './identity/signing-key';
import { JsonFile } from './storage/json-file';
import { mountPartner } from './oauth/partner-routes';
import { answerError } from './pages/answer-error';
import { Partners } from './partners/partners';
import { EventSender } from './sending/event-sender';
import { mountStrictPartner } from './strict-partner/strict-partner-routes';

/** Short, so that a developer sees tokens rotate. */
const strictAccessTokenLifetimeS = 300;

@Module({})
class SandboxModule {}

/** Builds the sandbox: an identity provider and partners that follow the specification. Development only. */
export async function compose({ config, lifecycle }: AppBase<typeof sandboxFields>): Promise<ComposedApp> {
  // 1. State that survives a restart.
  const key = await openSigningKey(config.SANDBOX_DATA_DIR);
  const partners = new Partners(JsonFile.open(`${config.SANDBOX_DATA_DIR}/partners.json`, () => ({})));
  lifecycle.onStop('close', 'partners', async () => partners.write());
  const strictPartner = JsonFile.open<ProviderEntries>(`${config.SANDBOX_DATA_DIR}/strict-partner.json`, () => ({}));
  lifecycle.onStop('close', 'strict partner', async () => strictPartner.write());

  // 2. The identity provider for users and operators.
  ensureUrlParse();
  const identity = {
    issuerUrl: `${config.SANDBOX_URL}/idp`,
    publicUrl: config.PUBLIC_URL,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    audience: config.OIDC_AUDIENCE,
  };
  const provider = createIdentityProvider(identity, key);

  // 3. The partners, and the sender of their events.
  const sender = new EventSender(partners);
  lifecycle.onStart('sender', async () => sender.start());
  lifecycle.onStop('work', 'sender', async () => sender.stop());

  // 4. Awards for the console.
  const reader = { sub: 'sandbox-console', podium_roles: { '*': 'viewer' }, lifetimeS: 300 };
  const awards = new IssuedAwards({
    publicUrl: config.PUBLIC_URL,
    operatorToken: () => signAccessToken(reader, key, identity),
  });

  return {
    module: { module: SandboxModule },
    adapter: createHttpAdapter(),
    prepare: async (app) => {
      const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
      await fastify.register(fastifyFormbody);
      await mountIdentity(fastify, provider, key, identity);
      await mountStrictPartner(fastify, {
        ...{ sandboxUrl: config.SANDBOX_URL, publicUrl: config.PUBLIC_URL },
        ...{ cookieKey: config.OIDC_CLIENT_SECRET, key, file: strictPartner },
        accessTokenLifetimeS: strictAccessTokenLifetimeS,
      });
      await fastify.register(async (scope) => {
        scope.setErrorHandler((error, request, reply) =>
          answerError(error, request, reply, `${config.PUBLIC_URL}/connect`),
        );
        mountPartner(scope, { partners, sandboxUrl: config.SANDBOX_URL, sender });
        mountModes(scope, partners);
        mountConsole(scope, partners, sender, awards);
      });
    },
  };
}
