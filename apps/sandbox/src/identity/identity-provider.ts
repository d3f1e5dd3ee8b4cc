import Provider, { Configuration, JWK } from 'oidc-provider';
import { page } from '../pages/page';
import { SigningKey } from './signing-key';

/** Settings of the provider and its only client. */
export interface IdentityOptions {
  issuerUrl: string;
  publicUrl: string;
  clientId: string;
  clientSecret: string;
  audience: string;
}

const resource = 'urn:podium:api';

/**
 * A real OpenID provider (certified library) for users and operators. There is no password: any name logs in as that user.
 */
export function createIdentityProvider(options: IdentityOptions, key: SigningKey): Provider {
  const provider = new Provider(options.issuerUrl, configuration(options, key));
  provider.proxy = false;
  return provider;
}

function configuration(options: IdentityOptions, key: SigningKey): Configuration {
  return {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: [`${options.publicUrl}/connect/callback`],
        post_logout_redirect_uris: [`${options.publicUrl}/connect`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key.jwk as JWK] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    cookies: {
      keys: [options.clientSecret],
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
    },
    clientBasedCORS: () => false,
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: id, preferred_username: id }),
    }),
    interactions: { url: (_context, interaction) => `/idp-interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      // The library's own page loads a font from another site.
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = page('Log out', logOutBody(form));
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience: options.audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
        }),
      },
    },
    loadExistingGrant: async (context) => {
      // The only client is the service's own, so there is nothing to consent to.
      const { client, session, provider } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid profile');
      grant.addResourceScope(resource, '');
      await grant.save();
      return grant;
    },
    ttl: { Session: 14 * 24 * 3600, Grant: 14 * 24 * 3600, AccessToken: 3600, IdToken: 3600, Interaction: 3600 },
    routes: { jwks: '/jwks' },
  };
}

/** Asks whether to log out; the form, which is the library's, has no buttons. */
function logOutBody(form: string): string {
  return `<h1>Log out</h1>
<p class="banner">Sandbox identity provider: the next log-in asks for a name again.</p>
${form}
<p><button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Log out</button>
<button type="submit" form="op.logoutForm" class="plain">Stay logged in</button></p>`;
}
