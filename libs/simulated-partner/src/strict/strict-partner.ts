import { parseUrl } from '@podium/runtime/url';
import Provider, { Adapter, AdapterPayload, Configuration, InteractionResults, JWK } from 'oidc-provider';

/** Settings of a strict partner. */
export interface StrictPartnerOptions {
  /** Its base URL and issuer. */
  readonly issuerUrl: string;
  readonly adapter: (model: string) => Adapter;
  /** Signs its cookies. */
  readonly cookieKey: string;
  /** Signs its ID tokens: a private key. */
  readonly jwk: JWK;
  /** Where its log-in page is, for an interaction. */
  readonly interactionUrl: (uid: string) => string;
  readonly accessTokenLifetimeS: number;
}

/** The client that a strict partner gave to the service. */
export interface StrictClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_url: string;
}

/**
 * What an integration with it needs: it refuses an authorization request without scope, gives a refresh token only for
 * `offline_access` with `prompt=consent`, and decodes Basic credentials (RFC 6749 2.3.1).
 */
export const strictProfile = { scope: 'openid offline_access', client_auth: 'basic_form_encoded' } as const;

/** Below the issuer; the consent is asked for each time (OpenID Connect Core 11). */
export const strictAuthorizationPath = '/authorize?prompt=consent';

const scopes = 'openid offline_access';
const days = 86_400;

/**
 * A partner that is a certified OpenID provider, with the specification's paths: each refresh token works once, and one that
 * is sent again ends its grant.
 */
export function createStrictPartner(options: StrictPartnerOptions): Provider {
  ensureUrlParse();
  const provider = new Provider(options.issuerUrl, configuration(options));
  provider.proxy = false;
  return provider;
}

/** Registers the service's client in place of an earlier one with the same id. */
export async function registerStrictClient(adapter: (model: string) => Adapter, client: StrictClient): Promise<void> {
  await adapter('Client').upsert(
    client.client_id,
    // The stored form of a client, which the types do not have.
    <AdapterPayload>(<unknown>{
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: [client.redirect_url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    }),
    0,
  );
}

/**
 * The result of a log-in for `interactionFinished`: the user is logged in and consents to what was asked. A former grant of the
 * account with the client is used again if it has not ended.
 */
export async function logInResult(
  provider: Provider,
  clientId: string,
  accountId: string,
  formerGrantId?: string,
): Promise<InteractionResults> {
  const former = formerGrantId === undefined ? undefined : await provider.Grant.find(formerGrantId);
  const grant = former ?? new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scopes);
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
}

/** The provider uses the standard `URL.parse`, which Node has from 22.1 on; on Node 20 it is added here. */
export function ensureUrlParse(): void {
  const url = URL as typeof URL & { parse?: (text: string, base?: string) => URL | null };
  url.parse ??= parseUrl;
}

function configuration(options: StrictPartnerOptions): Configuration {
  const { adapter, cookieKey, jwk, interactionUrl, accessTokenLifetimeS } = options;
  return {
    adapter,
    jwks: { keys: [jwk] },
    routes: {
      authorization: '/authorize',
      token: '/oauth2/token',
      userinfo: '/oauth2/userinfo',
      revocation: '/oauth2/revoke',
      jwks: '/jwks',
    },
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub', 'nickname'] },
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    rotateRefreshToken: true,
    issueRefreshToken: (_context, _client, code) => code.scopes.has('offline_access'),
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    cookies: {
      keys: [cookieKey],
      names: { session: 'strict_session', interaction: 'strict_interaction', resume: 'strict_resume' },
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, nickname: id }) }),
    interactions: { url: (_context, interaction) => interactionUrl(interaction.uid) },
    ttl: {
      ...{ AccessToken: accessTokenLifetimeS, IdToken: 3600, Interaction: 3600, AuthorizationCode: 60 },
      ...{ RefreshToken: 30 * days, Grant: 30 * days, Session: days },
    },
  };
}
