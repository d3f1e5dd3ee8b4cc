import { Live } from '@podium/runtime/config';
import { discoveryUrl, issuerFetch, requireIssuer } from '@podium/runtime/http';
import * as oidc from 'openid-client';

/** State of a log-in until the identity provider sends the user back. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A user as the identity provider describes them. */
export interface IdentifiedUser {
  readonly userId: string;
  readonly name: string | null;
}

/** Log-in of users at the service's own identity provider: OIDC code flow with PKCE, state and nonce. */
export class IdentityProvider {
  private configuration: Promise<oidc.Configuration> | null = null;

  constructor(
    private readonly options: {
      readonly issuerUrl: string;
      readonly clientId: string;
      readonly clientSecret: Live<string>;
      readonly redirectUri: string;
      /** Where the provider sends the user after a log-out; null if its session is not to end. */
      readonly loggedOutUri: string | null;
      /** For an issuer on this machine, in test only. */
      readonly plainHttp: boolean;
    },
  ) {}

  /** Where to send the user, and the state to store. */
  async begin(): Promise<{ url: string; pending: PendingLogin }> {
    const configuration = await this.discovered();
    const codeVerifier = oidc.randomPKCECodeVerifier();
    const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.options.redirectUri,
      scope: 'openid profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending };
  }

  /** Checks the provider's response and returns the user; throws when it is invalid. */
  async finish(search: string, pending: PendingLogin): Promise<IdentifiedUser> {
    const url = new URL(this.options.redirectUri);
    url.search = search;
    const tokens = await oidc.authorizationCodeGrant(await this.discovered(), url, {
      pkceCodeVerifier: pending.codeVerifier,
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the identity provider sent no ID token');
    const name = [claims.name, claims.preferred_username].find((value) => typeof value === 'string' && value !== '');
    return { userId: claims.sub, name: typeof name === 'string' ? name.slice(0, 80) : null };
  }

  /**
   * Where the user ends their session at the provider (OpenID Connect RP-Initiated Logout 1.0), or null if it is not to end or the
   * provider has no such address. Without an ID token as a hint the provider asks the user first, since other services may use the session too.
   */
  async logOutUrl(): Promise<string | null> {
    const { loggedOutUri } = this.options;
    if (loggedOutUri === null) return null;
    const configuration = await this.discovered();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: loggedOutUri }).href;
  }

  /** Discovered once; if the provider is unavailable, the next log-in tries again. */
  private discovered(): Promise<oidc.Configuration> {
    const { issuerUrl, clientId, clientSecret, plainHttp } = this.options;
    const authentication: oidc.ClientAuth = (...request) => oidc.ClientSecretPost(clientSecret.current)(...request);
    this.configuration ??= oidc
      .discovery(new URL(discoveryUrl(issuerUrl)), clientId, undefined, authentication, {
        timeout: 5,
        [oidc.customFetch]: (url, options) => issuerFetch(url, options as RequestInit),
        execute: plainHttp ? [oidc.allowInsecureRequests] : [],
      })
      .then((configuration) => {
        // The library compares no issuer when it is given the address of the document.
        requireIssuer(configuration.serverMetadata(), issuerUrl);
        return configuration;
      })
      .catch((error: unknown) => {
        this.configuration = null;
        throw error;
      });
    return this.configuration;
  }
}

/** Whether a log-in failed because the provider is unavailable: no response, or 5XX. */
export function isProviderUnavailable(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const { status } = (cause ?? {}) as { status?: unknown };
  return isNetworkError(error) || isNetworkError(cause) || code === 'OAUTH_TIMEOUT' || Number(status) >= 500;
}

/** What `fetch` throws when there is no response. */
function isNetworkError(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { name?: unknown; cause?: unknown };
  return name === 'TypeError' && cause !== undefined;
}
